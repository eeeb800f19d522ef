import { peopleHandlers } from './people.ts'
import { projectHandlers } from './projects.ts'
import { ticketHandlers } from './tickets.ts'

/** The handler of each call: the server's table of contents. A call of the contract without a handler does not compile. */
export const handlers = { ...peopleHandlers, ...projectHandlers, ...ticketHandlers }
