import * as contract from '@tessera/contract/tickets/moving'
import { implement } from '../../../http/implement.ts'
import { requireOpen } from '../../../lib/authorize.ts'
import { invalid } from '../../../lib/failure.ts'
import { moveAll } from './move-all.ts'

export const moveTickets = implement(contract.moveTickets, async ({ db, scope, input: { Moves } }) => {
  requireOpen(scope)
  const seen = new Set<number>()
  for (const [index, { idTicket }] of Moves.entries()) {
    if (seen.has(idTicket)) throw invalid(`Moves.${index}.idTicket`, 'repeats a ticket')
    seen.add(idTicket)
  }
  const before = await moveAll(
    db,
    scope,
    Moves.map(({ idTicket, idParent }) => ({ id: idTicket, parentId: idParent })),
  )
  return { Success: 1 as const, Before: before.map(({ id, parentId }) => ({ idTicket: id, idParent: parentId })) }
})
