import { hashKey, keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { useEffect, useMemo, useRef } from 'react'
import type { CallError } from '../../../../lib/calls/api.ts'
import { type TicketView, viewRequest } from '../view/ticket-view.ts'
import { type Children, childrenQuery } from './children.ts'
import { flatRows } from './flat-rows.ts'
import { hasChildren, type TicketRow } from './rows.ts'
import { hasStaleInSight, setInSight, ticketPages, ticketsOf } from './ticket-pages.ts'

interface Loaded {
  data?: Children | undefined
  dataUpdatedAt?: number
  error?: CallError | null
  refetch?: () => void
}

/**
 * The rows of the tree from top to bottom, with the children of open tickets under them. After a move one list may still have the ticket in its old
 * place, while another, read later, has it in its new one: only the later one shows it. `readAt` is when a top-level ticket was read.
 */
export function flattenTickets(
  tickets: readonly QueriedTicket[],
  open: ReadonlySet<number>,
  childrenOf: (id: number) => Loaded | undefined,
  readAt: (index: number) => number = () => 0,
): TicketRow[] {
  const latest = new Map<number, { idParent: number | null; at: number }>()
  const note = ({ id, idParent }: QueriedTicket, at: number) => {
    const known = latest.get(id)
    if (!known || at > known.at) latest.set(id, { idParent, at })
  }
  for (const [index, ticket] of tickets.entries()) note(ticket, readAt(index))
  for (const id of open) {
    const { data, dataUpdatedAt = 0 } = childrenOf(id) ?? {}
    for (const child of data?.tickets ?? []) note(child, dataUpdatedAt)
  }
  const rows: TicketRow[] = []
  const add = (ticket: QueriedTicket, depth: number, path: string, above: readonly number[]) => {
    if (latest.get(ticket.id)?.idParent !== ticket.idParent) return
    const key = `${path}${ticket.id}`
    // A ticket that was moved while its parents were loading must not appear under itself.
    const isOpen = open.has(ticket.id) && hasChildren(ticket) && !above.includes(ticket.id)
    rows.push({ kind: 'ticket', key, depth, ticket, isOpen })
    if (!isOpen) return
    const { data, error, refetch } = childrenOf(ticket.id) ?? {}
    if (data) {
      for (const child of data.tickets) add(child, depth + 1, `${key}/`, [...above, ticket.id])
      const hidden = data.total - data.tickets.length
      if (hidden > 0) rows.push({ kind: 'more', key: `${key}/more`, depth: depth + 1, parent: ticket, hidden })
    } else if (error) {
      rows.push({ kind: 'failed', key: `${key}/failed`, depth: depth + 1, message: error.message, retry: () => refetch?.() })
    } else rows.push({ kind: 'loading', key: `${key}/loading`, depth: depth + 1 })
  }
  for (const ticket of tickets) add(ticket, 0, '', [])
  return rows
}

/** The parameters that the children of the list's tickets share. */
export function childrenShared(idProject: number, view: TicketView) {
  const { Sort, Columns } = viewRequest(view)
  return { idProject, ...(Sort && { Sort }), ...(Columns && { Columns }) }
}

/** The list under `idParent`, or the project's, according to the view: by page, with the children of open tickets only. */
export function useTicketRows(idProject: number, idParent: number | undefined, view: TicketView) {
  const request = viewRequest(view)
  const input = { idProject, ...(idParent && { idParent }), ...request }
  const list = ticketPages(input)
  const roots = useInfiniteQuery({ ...list, placeholderData: keepPreviousData })
  const isFlat = view.layout !== 'tree'
  const shared = childrenShared(idProject, view)
  const children = useQueries({ queries: isFlat ? [] : view.open.map(id => childrenQuery(id, shared)) })
  // Those of another order stay until the present ones are read: useQueries knows no previous data.
  const shown = useRef(new Map<number, Children>())
  const childrenOf = (id: number): Loaded => {
    const loaded = children[view.open.indexOf(id)]
    if (loaded?.data) shown.current.set(id, loaded.data)
    return loaded?.error ? loaded : { ...loaded, data: shown.current.get(id) }
  }
  const { tickets, pageOf } = useMemo(() => ticketsOf(roots.data?.pages ?? []), [roots.data])
  // useQueries returns a new list at each render; the signature shows whether its content has changed.
  const signature = children.map(({ dataUpdatedAt, status }) => `${status}${dataUpdatedAt}`).join()
  const readAt = (index: number) => (roots.data?.pages[pageOf[index] ?? 0]?.isStale ? 0 : roots.dataUpdatedAt)
  const rows = useMemo(
    () =>
      isFlat
        ? flatRows(tickets, view.group, roots.data?.pages[0]?.Groups)
        : flattenTickets(tickets, new Set(view.open), childrenOf, readAt),
    [tickets, view.open, isFlat, view.group, signature],
  )
  const hash = hashKey(list.queryKey)
  const renew = () => {
    if (roots.data && !roots.isFetching && hasStaleInSight(hash, roots.data.pages)) void roots.refetch()
  }
  useEffect(() => () => setInSight(hash, undefined), [hash])
  // A page that could not be read is read again when the list is, or is scrolled, not at once.
  useEffect(() => {
    if (!roots.isRefetchError) renew()
  })
  // Pages count only top-level tickets: the number of these up to each row.
  const topsUntil = useMemo(() => {
    let tops = 0
    return rows.map(({ depth, kind }) => (depth === 0 && kind === 'ticket' ? ++tops : tops))
  }, [rows])
  /** Called with the rendered rows. */
  const see = (first: number, end: number) => {
    const pageAt = (row: number) => pageOf[(topsUntil[row] ?? 0) - 1] ?? 0
    setInSight(hash, { first: pageAt(first), last: pageAt(Math.max(first, Math.min(end, rows.length) - 1)) })
    renew()
  }
  return { input, roots, rows, total: roots.data?.pages[0]?.Total, see }
}
