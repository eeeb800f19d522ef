import { type Db, run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import type { Reach } from '../query/compile-query.ts'
import type { Searcher } from '../query/read-query.ts'

const dueStatement = statement(
  { id: int8, due: text },
  `
  select v.ticket_id as id, v.value as due from ticket_value v
  where v.organization_id = $1 and v.ticket_id = any($2::bigint[]) and v.field_id = any($3::bigint[]) and v.value <> ''`,
)

/** When these tickets are due, `YYYY-MM-DD` by id. `reach` must have been read with `due` among its columns. */
export async function dueDates(
  db: Db,
  { organizationId }: Searcher,
  { fields }: Reach,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const dueFieldIds = (fields.get('due') ?? []).map(({ id }) => id)
  if (ids.length === 0 || dueFieldIds.length === 0) return new Map()
  const rows = await run(db, dueStatement, [organizationId, ids, dueFieldIds])
  return new Map(rows.map(({ id, due }) => [id, due]))
}
