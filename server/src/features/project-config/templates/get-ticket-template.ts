import * as contract from '@tessera/contract/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { notFound } from '../../../lib/failure.ts'
import { templateFields } from './queries.ts'

export const getTicketTemplate = implement(contract.getTicketTemplate, async ({ db, scope, input }) => {
  const { rows } = await sql<{ idTicketTemplate: number; Label: string; idEntryState: number }>`
    select id as "idTicketTemplate", name as "Label", entry_state_id as "idEntryState" from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${input.idTicketTemplate}`.execute(db)
  const [template] = rows
  if (!template) throw notFound()
  return { ...template, Fields: await templateFields(db, scope, input.idTicketTemplate) }
})
