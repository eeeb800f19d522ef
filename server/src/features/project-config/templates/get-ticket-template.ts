import * as contract from '@tessera/contract/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { notFound } from '../../../lib/failure.ts'
import { known, templateFields } from './queries.ts'
import { remaining, type TemplateDefaults } from './rules.ts'

export const getTicketTemplate = implement(contract.getTicketTemplate, async ({ db, scope, input }) => {
  const { rows } = await sql<{ idTicketTemplate: number; Label: string; idEntryState: number; defaults: TemplateDefaults | null }>`
    select id as "idTicketTemplate", name as "Label", entry_state_id as "idEntryState", defaults from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${input.idTicketTemplate}`.execute(db)
  const [template] = rows
  if (!template) throw notFound()
  const { defaults, ...answer } = template
  const Fields = await templateFields(db, scope, input.idTicketTemplate)
  const Defaults = defaults && remaining(defaults, await known(db, scope, Fields, defaults))
  return { ...answer, Fields, ...(Defaults && { Defaults }) }
})
