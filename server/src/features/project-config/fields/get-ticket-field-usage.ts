import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'
import { requireAll } from '../ordered-rows.ts'
import { fieldUsage } from './field-usage.ts'

export const getTicketFieldUsage = implement(contract.getTicketFieldUsage, async ({ db, scope, input }) => {
  const usage = await fieldUsage(db, scope, input.ids)
  requireAll(usage, input.ids)
  return usage
})
