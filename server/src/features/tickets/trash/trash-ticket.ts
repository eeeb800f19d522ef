import * as contract from '@tessera/contract/tickets/moving'
import { implement } from '../../../http/implement.ts'
import { requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { holdTickets, lockTree } from '../ticket-tree.ts'
import { onTree, trashAll } from './queries.ts'

export const trashTicket = implement(contract.trashTicket, ({ db, scope }) =>
  onTree(
    db,
    async () => {
      requireOpen(scope)
      await lockTree(db, scope)
      if ((await holdTickets(db, scope, [scope.ticketId])).length === 0) throw notFound()
      await requireStillOpen(db, scope, scope.ticketId)
      const changes = await trashAll(db, scope, [scope.ticketId])
      await recordChanges(db, scope, changes)
      return { Success: 1 as const, Tickets: changes.length }
    },
    'Nothing was changed: move some of them out of the tree first, or try again at a quieter time.',
  ),
)
