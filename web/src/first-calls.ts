// Sends what the page at this address will ask for, while the application is still on its way, and shows a project's tickets when they come first. The server puts it into the page of whoever
// has a session; vite.config.ts makes one small file of it, without React and what else the application is made of.
import { getTicketComments } from '@tessera/contract/comments'
import { getProjectData } from '@tessera/contract/projects'
import { connstate } from '@tessera/contract/session'
import { getTicketData, queryTickets } from '@tessera/contract/tickets'
import { showFirstList } from './features/tickets/first-list.tsx'
import { readView, viewRequest } from './features/tickets/ticket-view.ts'
import { sendFirst } from './lib/first-calls.ts'

const [, page, id] = /^\/([a-z-]+)\/([1-9]\d{0,14})\/?$/.exec(location.pathname) ?? []
const session = sendFirst(connstate, {})
if (page === 'view-project') {
  const idProject = Number(id)
  const view = readView(new URLSearchParams(location.search))
  const tickets = sendFirst(queryTickets, { idProject, ...viewRequest(view) })
  // Of an open tree the rows between are not here yet.
  if (view.open.length === 0) void showFirstList(idProject, session, tickets)
  sendFirst(getProjectData, { idProject })
}
if (page === 'view-ticket') {
  sendFirst(getTicketData, { idTicket: Number(id) })
  sendFirst(getTicketComments, { idTicket: Number(id), Editable: 1 })
}
