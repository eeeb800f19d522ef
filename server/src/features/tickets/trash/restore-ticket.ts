import * as contract from '@tessera/contract/tickets/moving'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { lockTrashed, onTree, restoreAll } from './queries.ts'

export const restoreTicket = implement(contract.restoreTicket, ({ db, scope }) =>
  onTree(db, async () => {
    const tickets = await lockTrashed(db, scope)
    await recordChanges(db, scope, await restoreAll(db, scope, tickets), { what: 'restore', projectId: scope.projectId })
    return { Success: 1 as const, Tickets: tickets.length }
  }),
)
