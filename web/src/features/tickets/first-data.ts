import type { Call, Request, Response } from '@tessera/contract/call'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getTicketComments, newestComments } from '@tessera/contract/tickets/comments'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { callQuery } from '../../lib/calls/api.ts'
import { awaitFirst, parsed } from '../../lib/calls/first-calls.ts'
import { queryClient } from '../../lib/calls/query-client.ts'
import type { Visit } from '../../lib/navigation/navigation.ts'
import { ticketPages } from './list/tree/ticket-pages.ts'
import { firstView } from './list/view/first-view.ts'
import { isTable, viewRequest } from './list/view/ticket-view.ts'

/** What draws the layouts that are no table. */
const drawn = {
  board: () => import('./board/board.tsx'),
  calendar: () => import('./calendar/calendar.tsx'),
  timeline: () => import('./timeline/timeline.tsx'),
}

/** How long rendering is delayed at most so that a page is rendered only once, with its data, in milliseconds. */
const timeout = 100

async function first<C extends Call<'query'>>(call: C, input: Request<C>) {
  const answer = await awaitFirst(call, input, timeout)
  return answer && (parsed(answer.text) as Response<C> | undefined)
}
async function keep<C extends Call<'query'>>(call: C, input: Request<C>) {
  const data = await first(call, input)
  if (data) queryClient.setQueryData(callQuery(call, input).queryKey, data)
}

/** Puts the answers of calls sent ahead of the application into the query cache, where the project's page finds them. */
export async function takeProject({ params, search }: Visit) {
  const idProject = Number(params.id)
  const view = firstView(search, idProject)
  if (!isTable(view.layout)) {
    // Its code is loaded together with the page.
    void drawn[view.layout]().catch(() => undefined)
    return keep(getProjectData, { idProject })
  }
  const input = { idProject, ...viewRequest(view) }
  const [page] = await Promise.all([first(queryTickets, input), keep(getProjectData, { idProject })])
  if (page) queryClient.setQueryData(ticketPages(input).queryKey, { pages: [page], pageParams: [undefined] })
}

/** The same for the page of a ticket. */
export async function takeTicket({ params }: Visit) {
  const idTicket = Number(params.id)
  await Promise.all([
    keep(getTicketData, { idTicket }),
    keep(getTicketComments, newestComments(idTicket)),
    keep(getTicketLinks, { idTicket, References: 1 }),
  ])
}
