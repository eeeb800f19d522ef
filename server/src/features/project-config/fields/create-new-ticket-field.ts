import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure } from '../../../lib/failure.ts'
import { newParts } from '../configuration-change.ts'
import { lockConfiguration, nextPosition } from '../ordered-rows.ts'
import { dropDefaultsOf } from '../templates/defaults/stored-defaults.ts'
import { requireFewOptions, requireOptions } from './field-options.ts'

export const createNewTicketField = implement(contract.createNewTicketField, async ({ db, scope, input }) => {
  requireOptions(input.idControlType, input.FieldProps)
  await lockConfiguration(db, scope)
  const position = await nextPosition(db, scope, 'field')
  const rows = await queryRows(db, { id: int8 })`
    insert into field (organization_id, project_id, key, label, type_id, options, position)
    values (${scope.organizationId}, ${scope.projectId}, ${input.DbKey}, ${input.Label}, ${input.idControlType},
      ${JSON.stringify(input.FieldProps ?? [])}::jsonb, ${position})
    on conflict (organization_id, project_id, key) do nothing returning id`
  const [made] = rows
  if (!made)
    throw new Failure('duplicate', `This project already has a field with the database key ${input.DbKey}, perhaps an archived one`)
  if (input.FieldProps?.length) await requireFewOptions(db, scope)
  const parts = {
    Label: input.Label,
    Key: input.DbKey,
    Type: String(input.idControlType),
    Options: input.FieldProps?.length ? JSON.stringify(input.FieldProps) : null,
  }
  await recordChanges(db, scope, [...newParts(scope, 'field', made.id, parts), ...(await dropDefaultsOf(db, scope, input.DbKey))])
  return { Success: 1 as const, idField: made.id }
})
