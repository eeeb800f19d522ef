import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'
import { requireAll } from '../ordered-rows.ts'
import { templateUsage } from './queries.ts'

export const getTicketTemplateUsage = implement(contract.getTicketTemplateUsage, async ({ db, scope, input }) => {
  const usage = await templateUsage(db, scope, input.ids)
  requireAll(usage, input.ids)
  return usage
})
