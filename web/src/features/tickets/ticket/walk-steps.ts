import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../../../lib/calls/query-client.ts'
import { keyOf, type Page, type Walk, walks } from '../../../lib/navigation/list-walk.ts'

/** The list that the ticket was opened from. */
export function walkOf(idTicket: number) {
  return [...walks].findLast(([key, { list, tickets }]) => key === keyOf(list) && tickets.includes(idTicket))?.[1]
}

/** The next ticket of the list, or the previous one, read from the server where the list goes on there; undefined at its ends. */
export async function stepInWalk(walk: Walk, idTicket: number, by: 1 | -1) {
  const at = walk.tickets.indexOf(idTicket) + by
  if (at === walk.tickets.length && walk.cursor !== null) await readOn(walk, walk.cursor)
  return walk.tickets[at]
}

async function readOn(walk: Walk, cursor: string) {
  const page = await walk.read?.(cursor)
  if (!page) return
  walk.cursor = page.NextCursor
  walk.tickets.push(...page.Tickets.map(({ id }) => id).filter(id => !walk.tickets.includes(id)))
  // Extends the list too, so that the row to return to exists.
  queryClient.setQueryData<InfiniteData<Page>>(walk.list, list =>
    list?.pages?.at(-1)?.NextCursor === cursor ? { pages: [...list.pages, page], pageParams: [...list.pageParams, cursor] } : list,
  )
}
