/** Where each call is answered: the server's table of contents. */
import { authenticate } from './features/session/authenticate.ts'
import { connstate } from './features/session/connstate.ts'
import { logout } from './features/session/logout.ts'
import { simulateTimeout } from './features/session/simulate-timeout.ts'
import { getProjectRoleList } from './features/tickets/assignees/get-project-role-list.ts'
import { getProjectUserList } from './features/tickets/assignees/get-project-user-list.ts'
import { getProjectUserroleList } from './features/tickets/assignees/get-project-userrole-list.ts'
import { getTicketRolelist } from './features/tickets/assignees/get-ticket-rolelist.ts'
import { getCommentHistory } from './features/tickets/comments/get-comment-history.ts'
import { getTicketComments } from './features/tickets/comments/get-ticket-comments.ts'
import { setTicketComment } from './features/tickets/comments/set-ticket-comment.ts'
import { setTicketNotification } from './features/tickets/subscriptions/set-ticket-notification.ts'

export const handlers = {
  authenticate,
  connstate,
  getCommentHistory,
  getProjectRoleList,
  getProjectUserList,
  getProjectUserroleList,
  getTicketComments,
  getTicketRolelist,
  logout,
  setTicketComment,
  setTicketNotification,
  simulateTimeout,
}
