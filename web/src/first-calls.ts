// Sends the calls that the page at this address will need while the application is still loading. The server puts this script into the page if there is
// a session. It is an entry of its own in vite.config.ts, so that it waits for no more than the file "calls", which it shares with the application.

import { connstate } from '@tessera/contract/people/session'
import { getProjectData } from '@tessera/contract/projects/projects'
import { queryBoard } from '@tessera/contract/tickets/board'
import { getTicketComments, newestComments } from '@tessera/contract/tickets/comments'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { boardRequest, firstPage } from './features/tickets/board/data/board-request.ts'
import { firstView } from './features/tickets/list/view/first-view.ts'
import { isOfDates, viewRequest } from './features/tickets/list/view/ticket-view.ts'
import { sendFirst } from './lib/calls/first-calls.ts'

const [, page, id] = /^\/([a-z-]+)\/([1-9]\d{0,14})\/?$/.exec(location.pathname) ?? []
sendFirst(connstate, {})
if (page === 'view-project') {
  const idProject = Number(id)
  const view = firstView(location.search, idProject)
  if (view.layout === 'board') sendFirst(queryBoard, firstPage(boardRequest(idProject, view)))
  // A calendar and a timeline have to know the fields first.
  else if (!isOfDates(view.layout)) sendFirst(queryTickets, { idProject, ...viewRequest(view) })
  sendFirst(getProjectData, { idProject })
}
if (page === 'view-ticket') {
  sendFirst(getTicketData, { idTicket: Number(id) })
  sendFirst(getTicketComments, newestComments(Number(id)))
  sendFirst(getTicketLinks, { idTicket: Number(id), References: 1 })
}
