import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int8, jsonb, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { notFound } from '../../../lib/failure.ts'
import { readDefaults } from './defaults/stored-defaults.ts'
import type { TemplateDefaults } from './defaults/template-defaults.ts'
import { templateFields } from './queries.ts'

export const getTicketTemplate = implement(contract.getTicketTemplate, async ({ db, scope, input }) => {
  const rows = await queryRows(db, {
    idTicketTemplate: int8,
    Label: text,
    idEntryState: int8,
    defaults: nullable(jsonb<TemplateDefaults>()),
  })`
    select id as "idTicketTemplate", name as "Label", entry_state_id as "idEntryState", defaults from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${input.idTicketTemplate}`
  const [template] = rows
  if (!template) throw notFound()
  const { defaults, ...answer } = template
  const Fields = await templateFields(db, scope, input.idTicketTemplate)
  const Defaults = await readDefaults(db, scope, Fields, defaults)
  return { ...answer, Fields, ...(Defaults && { Defaults }) }
})
