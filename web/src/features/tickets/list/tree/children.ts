import { queryOptions } from '@tanstack/react-query'
import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { type CallError, post } from '../../../../lib/calls/api.ts'
import { isInBackground } from '../../../../lib/calls/background.ts'

type ListRequest = Request<typeof queryTickets>
/** The parameters that the children of all tickets of a list share. */
type Shared = Pick<ListRequest, 'idProject' | 'Sort' | 'Columns'>

export interface Children {
  tickets: QueriedTicket[]
  total: number
}

/** Maximum number of a ticket's children in the tree; the ticket's own page shows all. */
const childrenShown = 4 * limits.pageSizeMax
/** Maximum number of tickets whose children are read with one request. */
const parentsAtOnce = 100

/** The children of one ticket. Requests for many tickets at the same time are batched. */
export function childrenQuery(idParent: number, shared: Shared) {
  return queryOptions<Children, CallError>({
    queryKey: [queryTickets.path, { ...shared, idParent }, 'children'],
    queryFn: ({ queryKey }) => wait(idParent, shared, isInBackground(queryKey)),
  })
}

interface Batch {
  shared: Shared
  isBackground: boolean
  wanted: { idParent: number; resolve: (children: Children) => void; reject: (problem: unknown) => void }[]
}
const batches = new Map<string, Batch>()

function wait(idParent: number, shared: Shared, isBackground: boolean) {
  const key = JSON.stringify([shared, isBackground])
  return new Promise<Children>((resolve, reject) => {
    let batch = batches.get(key)
    if (!batch) {
      const begun: Batch = { shared, isBackground, wanted: [] }
      batch = begun
      batches.set(key, begun)
      setTimeout(() => {
        batches.delete(key)
        for (let at = 0; at < begun.wanted.length; at += parentsAtOnce)
          void settle({ ...begun, wanted: begun.wanted.slice(at, at + parentsAtOnce) })
      })
    }
    batch.wanted.push({ idParent, resolve, reject })
  })
}

async function settle({ shared, isBackground, wanted }: Batch) {
  try {
    const together = wanted.length > 1 && (await read({ ...shared, idParents: wanted.map(({ idParent }) => idParent) }, isBackground))
    const isWhole = together && together.tickets.length === together.total
    const byParent = Map.groupBy(together ? together.tickets : [], ({ idParent }) => idParent)
    for (const { idParent, resolve } of wanted) {
      const tickets = byParent.get(idParent) ?? []
      // If there are more children than one request may return, each ticket gets its own request.
      resolve(isWhole ? { tickets, total: tickets.length } : await read({ ...shared, idParent }, isBackground))
    }
  } catch (problem) {
    for (const { reject } of wanted) reject(problem)
  }
}

async function read(input: ListRequest, isBackground: boolean): Promise<Children> {
  const tickets: QueriedTicket[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await post(queryTickets, { ...input, Limit: limits.pageSizeMax, ...(cursor && { Cursor: cursor }) }, { isBackground })
    tickets.push(...page.Tickets)
    if (!page.NextCursor || tickets.length >= childrenShown) return { tickets, total: page.Total }
    cursor = page.NextCursor
  }
}
