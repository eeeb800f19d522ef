/** Where each call is answered: the server's table of contents. */
import { authenticate } from './features/session/authenticate.ts'
import { connstate } from './features/session/connstate.ts'
import { endSessions } from './features/session/end-sessions.ts'
import { getSessionList } from './features/session/get-session-list.ts'
import { logout } from './features/session/logout.ts'
import { setUp } from './features/session/set-up.ts'
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
  endSessions,
  getCommentHistory,
  getProjectRoleList,
  getProjectUserList,
  getProjectUserroleList,
  getSessionList,
  getTicketComments,
  getTicketRolelist,
  logout,
  setTicketComment,
  setTicketNotification,
  setUp,
  simulateTimeout,
}
