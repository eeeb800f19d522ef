import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { isFocusNowhere } from '../../../../lib/navigation/arrival.ts'
import { navigate } from '../../../../lib/navigation/navigation.ts'
import type { TicketRow as Row } from './rows.ts'
import { rowAt } from './rows.ts'
import { useFetchAhead } from './use-fetch-ahead.ts'

function rowElement(table: HTMLTableElement | null, key: string) {
  return table?.querySelector<HTMLElement>(`tr[data-key="${key}"]`)
}

type ShownTicket = Extract<Row, { kind: 'ticket' }>

interface TreeOptions {
  rows: Row[]
  scrollTo: (index: number) => void
  /** The tickets whose children are shown. */
  open: number[]
  setOpen: (open: number[]) => void
  /** Called when the pointer or the focus reaches a row, whose ticket may be opened next. */
  onApproach: (() => void) | undefined
  /** Called when the ticket is about to replace the list. */
  onOpen: (idTicket: number) => void
  /** The ticket whose row gets the focus once it is loaded, unless something else has it by then. */
  returnTo: number | undefined
}

/** The keys, clicks and focus of the treegrid: one tab stop, arrows between rows, right and left open and close. */
export function useTree({ rows, scrollTo, open, setOpen, onApproach, onOpen, returnTo }: TreeOptions) {
  const ref = useRef<HTMLTableElement>(null)
  const wanted = useRef<string>(undefined)
  const [chosen, setChosen] = useState<string>()
  const fetchAhead = useFetchAhead()
  const position = rows.findIndex(row => row.key === chosen && row.kind === 'ticket')
  const current = position < 0 ? undefined : chosen

  // A distant row is rendered only after the list has scrolled there.
  const settle = useCallback(() => {
    const row = wanted.current !== undefined && rowElement(ref.current, wanted.current)
    if (!row) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }, [])

  const moveTo = (index: number, direction: 1 | -1) => {
    let next = index
    while (rows[next] && rows[next]?.kind !== 'ticket') next += direction
    const row = rows[next]
    if (!row) return
    wanted.current = row.key
    if (!rowElement(ref.current, row.key)) scrollTo(next)
    setChosen(row.key)
  }
  const toggle = ({ ticket, isOpen }: ShownTicket) => setOpen(isOpen ? open.filter(id => id !== ticket.id) : [...open, ticket.id])
  const address = ({ ticket }: ShownTicket) => `/view-ticket/${ticket.id}`
  const approach = (row: ShownTicket | undefined) => {
    if (!row) return fetchAhead.cancel()
    onApproach?.()
    fetchAhead.soon(row.ticket.id)
  }
  const openTab = (row: ShownTicket) => void window.open(address(row), '_blank', 'noopener')
  const go = (row: ShownTicket, { ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) => {
    if (ctrlKey || metaKey) openTab(row)
    else {
      onOpen(row.ticket.id)
      void navigate(address(row))
    }
  }
  const awaited = useRef(returnTo)
  useEffect(() => {
    if (awaited.current === undefined) return
    const index = rows.findIndex(row => row.kind === 'ticket' && row.ticket.id === awaited.current)
    if (index < 0) return
    awaited.current = undefined
    // The rows at the restored position are drawn with its scroll event, which comes before the next frame. Without them the row would be moved.
    requestAnimationFrame(() => {
      if (isFocusNowhere()) moveTo(index, 1)
    })
  })

  return {
    ref,
    current,
    settle,
    openCurrent: () => {
      const row = rows[position]
      if (row?.kind === 'ticket') go(row, { ctrlKey: false, metaKey: false })
    },
    step: (by: 1 | -1) => moveTo(position < 0 ? 0 : position + by, by),
    onFocus: ({ target }: FocusEvent) => {
      const found = rowAt(target, rows)
      if (found) setChosen(found.row.key)
      approach(found?.row)
    },
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') approach(rowAt(target, rows)?.row)
    },
    onPointerLeave: fetchAhead.cancel,
    onPointerDown: ({ target, button }: PointerEvent) => {
      const found = rowAt(target, rows)
      if (!found || button !== 0 || (target instanceof Element && target.closest('button'))) return
      onApproach?.()
      fetchAhead.now(found.row.ticket.id)
    },
    onClick: (event: MouseEvent) => {
      const found = rowAt(event.target, rows)
      if (!found || !(event.target instanceof Element)) return
      if (event.target.closest('[data-toggle]')) return toggle(found.row)
      const isLink = event.target.closest('a') !== null
      // With a key held down the link does what the browser does with links.
      if (event.defaultPrevented || (isLink && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey))) return
      event.preventDefault()
      go(found.row, event)
    },
    // A click anywhere in the row counts as a click on its link.
    onAuxClick: ({ target, button }: MouseEvent) => {
      const found = rowAt(target, rows)
      if (found && button === 1 && target instanceof Element && !target.closest('a, button')) openTab(found.row)
    },
    onMouseDown: (event: MouseEvent) => {
      // A middle click would start to scroll.
      if (event.button === 1 && rowAt(event.target, rows)) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const found = rowAt(event.target, rows)
      if (!found || event.altKey || event.shiftKey) return
      const { row, index } = found
      const isParent = rowElement(ref.current, row.key)?.hasAttribute('aria-expanded') === true
      const parent = () => rows.slice(0, index).findLastIndex(({ depth }) => depth < row.depth)
      const actions: Record<string, () => void> = {
        Enter: () => go(row, event),
        ArrowDown: () => moveTo(index + 1, 1),
        ArrowUp: () => moveTo(index - 1, -1),
        Home: () => moveTo(0, 1),
        End: () => moveTo(rows.length - 1, -1),
        ...(isParent && { ArrowRight: () => (row.isOpen ? moveTo(index + 1, 1) : toggle(row)) }),
        ArrowLeft: () => (row.isOpen ? toggle(row) : moveTo(parent(), -1)),
      }
      const act = actions[event.key]
      if (!act) return
      event.preventDefault()
      act()
    },
  }
}
