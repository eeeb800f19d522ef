import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { newParts } from '../configuration-change.ts'
import { lockConfiguration, nextPosition, requireFreeNames } from '../ordered-rows.ts'
import { requireFields, requireState, setTemplateFields } from './queries.ts'

export const createNewTemplate = implement(contract.createNewTemplate, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  await requireState(db, scope, input.idEntryState)
  await requireFields(db, scope, input.Fields)
  await requireFreeNames(db, scope, 'template', [input.Label])
  const position = await nextPosition(db, scope, 'template')
  const rows = await queryRows(db, { id: int8 })`
    insert into template (organization_id, project_id, name, entry_state_id, position)
    values (${scope.organizationId}, ${scope.projectId}, ${input.Label}, ${input.idEntryState}, ${position}) returning id`
  const idTicketTemplate = rows[0]?.id as number
  await setTemplateFields(db, scope, idTicketTemplate, input.Fields)
  const parts = { Name: input.Label, EntryState: String(input.idEntryState), Fields: JSON.stringify(input.Fields) }
  await recordChanges(db, scope, newParts(scope, 'template', idTicketTemplate, parts))
  return { Success: 1 as const, idTicketTemplate }
})
