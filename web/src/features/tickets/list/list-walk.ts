import { hashKey } from '@tanstack/react-query'
import type { Request } from '@tessera/contract/call'
import { queryTickets } from '@tessera/contract/tickets'
import { post } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { currentSession } from '../../../lib/session.tsx'
import { ticketPages } from './rows/ticket-pages.ts'

type ListRequest = Request<typeof queryTickets>

/** A list that a ticket was opened from: its tickets in the order of its rows, and which of them was shown last. */
interface Walk {
  request: ListRequest
  tickets: number[]
  /** Where the rest of the list begins. */
  cursor: string | null
  shown: number
}

/** The list that was used last is the last one. */
const walks = new Map<string, Walk>()

/** Another person's or organization's lists are none. */
function keyOf(request: ListRequest) {
  const { idUser, idOrganization } = currentSession()
  return hashKey([idUser, idOrganization, request])
}

/** A ticket is opened from the list. */
export function beginWalk(walk: Walk) {
  const key = keyOf(walk.request)
  walks.delete(key)
  walks.set(key, walk)
}

/** The ticket of this list that was shown last, to come back to. */
export function lastShown(request: ListRequest) {
  return walks.get(keyOf(request))?.shown
}

/** The list that the ticket was opened from. */
export function walkOf(idTicket: number) {
  return [...walks].findLast(([key, { request, tickets }]) => key === keyOf(request) && tickets.includes(idTicket))?.[1]
}

/** The next ticket of the list, or the previous one, read from the server where the list goes on there; undefined at its ends. */
export async function stepInWalk(walk: Walk, idTicket: number, by: 1 | -1) {
  const at = walk.tickets.indexOf(idTicket) + by
  if (at === walk.tickets.length && walk.cursor !== null) await readOn(walk, walk.cursor)
  const next = walk.tickets[at]
  if (next !== undefined) walk.shown = next
  return next
}

async function readOn(walk: Walk, cursor: string) {
  const page = await post(queryTickets, { ...walk.request, Cursor: cursor })
  walk.cursor = page.NextCursor
  walk.tickets.push(...page.Tickets.map(({ id }) => id).filter(id => !walk.tickets.includes(id)))
  // The list goes on as well, so that the row to come back to is there.
  queryClient.setQueryData(ticketPages(walk.request).queryKey, list =>
    list?.pages.at(-1)?.NextCursor === cursor ? { pages: [...list.pages, page], pageParams: [...list.pageParams, cursor] } : list,
  )
}
