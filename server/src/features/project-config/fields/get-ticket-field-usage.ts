import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'
import { requireAll } from '../queries.ts'
import { fieldUsage } from './queries.ts'

export const getTicketFieldUsage = implement(contract.getTicketFieldUsage, async ({ db, scope, input }) => {
  const usage = await fieldUsage(db, scope, input.ids)
  requireAll(usage, input.ids)
  return usage
})
