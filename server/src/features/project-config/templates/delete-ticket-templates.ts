import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'
import { deleteOrArchive } from '../deletions.ts'
import { lockConfiguration, lockRows } from '../ordered-rows.ts'
import { templateUsage } from './queries.ts'

export const deleteTicketTemplates = implement(contract.deleteTicketTemplates, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const templates = await lockRows(db, scope, 'template', input.ids)
  const usage = await templateUsage(db, scope, input.ids)
  const used = new Set(usage.filter(({ Tickets }) => Tickets > 0).map(({ id }) => id))
  return deleteOrArchive(db, scope, 'template', templates, used)
})
