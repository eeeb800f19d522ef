import { hashKey, type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { Request, Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets'
import { type CallError, post } from '../../../../lib/api.ts'
import { isInBackground } from '../../../../lib/background.ts'

export type TicketPage = Response<typeof queryTickets>
type Cursor = string | undefined

/** A list of this many pages is read again whole. */
const few = 2
/** Tickets that may have come into a page since it was read, so that it still meets the next one. */
const slack = 20

/** The pages of each list that are in sight, by the hash of its query. */
const inSight = new Map<string, { first: number; last: number }>()
/** Pages that were passed over when their list was read again. */
const passedOver = new WeakSet<TicketPage>()

export function setInSight(queryHash: string, pages: { first: number; last: number } | undefined) {
  if (pages) inSight.set(queryHash, pages)
  else inSight.delete(queryHash)
}
/** Whether something in sight was passed over. */
export function isOldInSight(queryHash: string, pages: readonly TicketPage[]) {
  const { first, last } = inSight.get(queryHash) ?? { first: 0, last: 0 }
  return pages.slice(first, last + 1).some(isPassedOver)
}
function isPassedOver(page: TicketPage) {
  return passedOver.has(page)
}

/** What was read from a page's beginning on, cut where the next page begins; undefined when the two no longer meet. */
export function meetingNext(read: TicketPage, next: readonly QueriedTicket[], cursor: string | null): TicketPage | undefined {
  const following = new Set(next.map(({ id }) => id))
  const end = read.Tickets.findLastIndex(({ id }) => !following.has(id)) + 1
  return end === read.Tickets.length ? undefined : { ...read, Tickets: read.Tickets.slice(0, end), NextCursor: cursor }
}

/** The tickets of all pages, each once: where one stands in two, the page that was read last is right. */
export function ticketsOf(pages: readonly TicketPage[]) {
  const fresh = new Set(pages.filter(page => !isPassedOver(page)).flatMap(page => page.Tickets.map(({ id }) => id)))
  const seen = new Set<number>()
  const tickets: QueriedTicket[] = []
  const pageOf: number[] = []
  for (const [index, page] of pages.entries()) {
    for (const ticket of page.Tickets) {
      if (seen.has(ticket.id) || (isPassedOver(page) && fresh.has(ticket.id))) continue
      seen.add(ticket.id)
      tickets.push(ticket)
      pageOf.push(index)
    }
  }
  return { tickets, pageOf }
}

/**
 * The list by page. When a long one is read again, only its first page and what is in sight are asked for; the other pages stay as they are,
 * and where they were, until they come into sight.
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
      if (!known || !before || known.pages.length <= few) return read()
      const { first, last } = inSight.get(hashKey(queryKey)) ?? { first: 0, last: 0 }
      if (index > 0 && (index < first || index > last)) {
        passedOver.add(before)
        return before
      }
      const answer = await read(next && Math.min(before.Tickets.length + slack, limits.pageSizeMax))
      passedOver.delete(before)
      return (next && meetingNext(answer, next.Tickets, before.NextCursor)) ?? answer
    },
    initialPageParam: undefined,
    getNextPageParam: page => page.NextCursor ?? undefined,
  })
}
