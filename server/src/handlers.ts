/** Where each call is answered: the server's table of contents. */
import { authenticate } from './features/session/authenticate.ts'
import { connstate } from './features/session/connstate.ts'
import { logout } from './features/session/logout.ts'
import { simulateTimeout } from './features/session/simulate-timeout.ts'

export const handlers = {
  authenticate,
  connstate,
  logout,
  simulateTimeout,
}
