import * as contract from '@tessera/contract/bulk'
import { implement } from '../../../../http/implement.ts'
import { endEarly, findRun } from './queries.ts'

export const stopBulkChange = implement(contract.stopBulkChange, async ({ db, scope, input }) => {
  const found = await findRun(db, scope, input, { lock: true })
  if (found.Ended === 0) await endEarly(db, scope, found)
  return { Success: 1 as const }
})
