import type * as calls from '@tessera/contract/calls'
import type { Handlers } from '../http/implement.ts'
import * as ofPeople from './people.ts'
import * as ofProjects from './projects.ts'
import * as ofTickets from './tickets.ts'

/** The handler of each call: the server's table of contents. A call of the contract without a handler does not compile. */
export const handlers = { ...ofPeople, ...ofProjects, ...ofTickets } satisfies Handlers<typeof calls>
