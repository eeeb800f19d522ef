import { sql } from 'kysely'
import { type Db, queryRows } from '../../../../db/db.ts'
import { int2, int4, jsonb, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { Failure, notFound } from '../../../../lib/failure.ts'
import type { Option } from '../field-options.ts'
import { typeChange } from './type-change.ts'

/** Maximum number of distinct values that are read. */
const valuesAtMost = 10_000

/** The field, locked if it is about to change, and the result of changing its type. */
export async function readTypeChange(db: Db, scope: ProjectScope, idField: number, to: number, lock = false) {
  const rows = await queryRows(db, { type_id: int2, options: jsonb<Option[]>() })`
    select type_id, options from field
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${idField} ${lock ? sql`for update` : sql``}`
  const [field] = rows
  if (!field) throw notFound()
  const values = await queryRows(db, { value: text, tickets: int4 })`
    select value, count(*)::int as tickets from ticket_value
    where organization_id = ${scope.organizationId} and field_id = ${idField} and value <> ''
    group by value order by tickets desc, value limit ${valuesAtMost + 1}`
  if (values.length > valuesAtMost)
    throw new Failure('rule', `The type of a field with more than ${valuesAtMost} different values cannot be changed`)
  return {
    typeId: field.type_id,
    before: field.options,
    tickets: values.reduce((sum, { tickets }) => sum + tickets, 0),
    ...typeChange({ typeId: field.type_id, options: field.options }, to, values),
  }
}
