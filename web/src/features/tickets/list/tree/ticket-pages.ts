import { hashKey, type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { Request, Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { type CallError, post } from '../../../../lib/calls/api.ts'
import { isInBackground } from '../../../../lib/calls/background.ts'

/** A page of a list. It is stale when the list was refetched but this page, because it was not visible, was not. */
type TicketPage = Response<typeof queryTickets> & { isStale?: true }
type Cursor = string | undefined

/** A list of at most this many pages is refetched as a whole. */
const readWholeUpTo = 2
/** How many more tickets than the page had are read, so that it still joins the next page after tickets were added. */
const overlap = 20

/** The visible pages of each list, by the hash of its query. */
const inSight = new Map<string, { first: number; last: number }>()

export function setInSight(queryHash: string, pages: { first: number; last: number } | undefined) {
  if (pages) inSight.set(queryHash, pages)
  else inSight.delete(queryHash)
}
/** Whether a stale page has become visible. */
export function hasStaleInSight(queryHash: string, pages: readonly TicketPage[]) {
  const { first, last } = inSight.get(queryHash) ?? { first: 0, last: 0 }
  return pages.slice(first, last + 1).some(page => page.isStale)
}

/** The tickets read from a page's beginning, cut where the next page begins; undefined when the two no longer join. */
export function meetingNext(read: TicketPage, next: readonly QueriedTicket[], cursor: string | null): TicketPage | undefined {
  const following = new Set(next.map(({ id }) => id))
  const end = read.Tickets.findLastIndex(({ id }) => !following.has(id)) + 1
  return end === read.Tickets.length ? undefined : { ...read, Tickets: read.Tickets.slice(0, end), NextCursor: cursor }
}

/** The tickets of all pages without duplicates: if one is in two pages, the page that was read last wins. */
export function ticketsOf(pages: readonly TicketPage[]) {
  const fresh = new Set(pages.filter(page => !page.isStale).flatMap(page => page.Tickets.map(({ id }) => id)))
  const seen = new Set<number>()
  const tickets: QueriedTicket[] = []
  const pageOf: number[] = []
  for (const [index, page] of pages.entries()) {
    for (const ticket of page.Tickets) {
      if (seen.has(ticket.id) || (page.isStale && fresh.has(ticket.id))) continue
      seen.add(ticket.id)
      tickets.push(ticket)
      pageOf.push(index)
    }
  }
  return { tickets, pageOf }
}

/**
 * The list by page. When a long list is refetched, only its first page and the visible ones are requested; the other pages stay as they are until
 * they become visible.
 */
export function ticketPages(input: Request<typeof queryTickets>) {
  type Pages = InfiniteData<TicketPage, Cursor>
  return infiniteQueryOptions<TicketPage, CallError, Pages, readonly unknown[], Cursor>({
    queryKey: [queryTickets.path, input, 'pages'],
    queryFn: async ({ client, signal, queryKey, pageParam }) => {
      const read = (limit?: number) =>
        post(
          queryTickets,
          { ...input, ...(pageParam && { Cursor: pageParam }), ...(limit && { Limit: limit }) },
          { signal, isBackground: isInBackground(queryKey) },
        )
      const known = client.getQueryData<Pages>(queryKey)
      const index = known?.pageParams.indexOf(pageParam) ?? -1
      const before = known?.pages[index]
      const next = known?.pages[index + 1]
      if (!known || !before || known.pages.length <= readWholeUpTo) return read()
      const { first, last } = inSight.get(hashKey(queryKey)) ?? { first: 0, last: 0 }
      if (index > 0 && (index < first || index > last)) return { ...before, isStale: true }
      const answer = await read(next && Math.min(before.Tickets.length + overlap, limits.pageSizeMax))
      return (next && meetingNext(answer, next.Tickets, before.NextCursor)) ?? answer
    },
    initialPageParam: undefined,
    getNextPageParam: page => page.NextCursor ?? undefined,
  })
}
