import * as contract from '@tessera/contract/tickets/bulk'
import { implement } from '../../../../http/implement.ts'
import { findRun } from './runs.ts'

export const getBulkProgress = implement(contract.getBulkProgress, async ({ db, scope, input }) => {
  const { Total, Done, Changed, Ended } = await findRun(db, scope, input)
  return { Total, Done, Changed, Ended }
})
