import * as contract from '@tessera/contract/projects/project-config'
import { run, statement } from '../../../db/db.ts'
import { int2, int8, jsonb, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const list = statement(
  { id: int8, Label: text, Key: text, FieldType: int2, FieldProps: jsonb<{ value: string; label: string }[]>() },
  `
  select id, label as "Label", key as "Key", type_id as "FieldType", options as "FieldProps" from field
  where organization_id = $1 and project_id = $2 and (archived_at is not null) = $3 order by position, id`,
)

export const getTicketFieldList = implement(contract.getTicketFieldList, ({ db, scope, input }) =>
  run(db, list, [scope.organizationId, scope.projectId, input.Archived === 1]),
)
