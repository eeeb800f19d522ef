import * as contract from '@tessera/contract/tickets/moving'
import { implement } from '../../../http/implement.ts'
import { requireOpen } from '../../../lib/authorize.ts'
import { moveAll } from './move-all.ts'

export const moveTicket = implement(contract.moveTicket, async ({ db, scope, input: { idParent } }) => {
  requireOpen(scope)
  await moveAll(db, scope, [{ id: scope.ticketId, parentId: idParent }])
  return { Success: 1 as const }
})
