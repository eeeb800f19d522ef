import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../db/db.ts'
import { int8, nothing, nullable, type RowOf, text } from '../../db/shape.ts'
import type { ProjectScope } from '../../lib/authorize.ts'

const lockTreeStatement = statement({ locked: nothing }, `select pg_advisory_xact_lock(hashtextextended('tickets', $1::bigint)) as locked`)

/** Until the transaction ends, nobody else can move, trash, restore or purge tickets of the project. Take this lock before any row lock. */
export async function lockTree(db: Db, { projectId }: ProjectScope) {
  await run(db, lockTreeStatement, [projectId])
}

export const lockedRow = {
  id: int8,
  templateId: int8,
  stateId: int8,
  parentId: nullable(int8),
  title: text,
  trashRootId: nullable(int8),
}
export type LockedTicket = RowOf<typeof lockedRow>
export const heldColumns =
  'id, template_id as "templateId", state_id as "stateId", parent_id as "parentId", title, trash_root_id as "trashRootId"'
const holdStatement = statement(
  lockedRow,
  `select ${heldColumns} from ticket where organization_id = $1 and project_id = $2 and id = any($3) order by id for no key update`,
)
/** Locks those of the tickets that the project has, and returns their current values. */
export function holdTickets(db: Db, { organizationId, projectId }: ProjectScope, ids: readonly number[]): Promise<LockedTicket[]> {
  return run(db, holdStatement, [organizationId, projectId, ids])
}

const aboveStatement = statement(
  { id: int8, parentId: nullable(int8), trashRootId: nullable(int8) },
  `
  with recursive up (id, parent_id, trash_root_id, depth) as (
    select t.id, t.parent_id, t.trash_root_id, 0 from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = any($3)
    union
    select t.id, t.parent_id, t.trash_root_id, up.depth + 1 from up join ticket t on t.organization_id = $1 and t.id = up.parent_id
    where up.depth <= ${limits.depth}
  )
  select distinct id, parent_id as "parentId", trash_root_id as "trashRootId" from up`,
)
/** These tickets of the project with everything above them. */
export function linesAbove(db: Db, { organizationId, projectId }: ProjectScope, ids: readonly number[]) {
  return run(db, aboveStatement, [organizationId, projectId, ids])
}

/** A recursive CTE `up (ticket_id, id, parent_id, title, depth)` of the ancestors of the tickets in the CTE `page`, the nearest first. */
export const ancestors = `up (ticket_id, id, parent_id, title, depth) as (
    select page.id, a.id, a.parent_id, a.title, 1 from page join ticket a on a.organization_id = $1 and a.id = page.parent_id
    union all
    select up.ticket_id, a.id, a.parent_id, a.title, up.depth + 1 from up join ticket a on a.organization_id = $1 and a.id = up.parent_id
    where up.depth < ${limits.depth}
  )`
