import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../../../db/db.ts'
import { int8, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'

const titlesStatement = statement(
  { id: int8, Title: text },
  'select id, title as "Title" from ticket where organization_id = $1 and project_id = $2 and id = any($3)',
)
/** The titles of these tickets, and of the first ones that each reason names. */
export async function titlesOf(db: Db, scope: ProjectScope, ids: readonly number[], reasons: readonly { Tickets: readonly number[] }[]) {
  const named = reasons.flatMap(({ Tickets }) => Tickets.slice(0, limits.namedTickets)).slice(0, limits.bulkTickets)
  const all = [...new Set([...ids, ...named])]
  return all.length === 0 ? [] : await run(db, titlesStatement, [scope.organizationId, scope.projectId, all])
}
