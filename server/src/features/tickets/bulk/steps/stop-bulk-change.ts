import * as contract from '@tessera/contract/tickets/bulk'
import { implement } from '../../../../http/implement.ts'
import { requireStillAllowed } from '../../../../lib/authorize.ts'
import { endEarly } from './runs.ts'

export const stopBulkChange = implement(contract.stopBulkChange, async ({ db, scope, input }) => {
  await endEarly(db, scope, input)
  await requireStillAllowed(db, scope)
  return { Success: 1 as const }
})
