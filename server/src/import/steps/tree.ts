import { limits } from '@tessera/contract/limits'
import { queryRows } from '../../db/db.ts'
import { bool, int4, int8 } from '../../db/shape.ts'
import type { Plan } from '../export/plan.ts'
import type { ImportContext } from './context.ts'

/**
 * The parents of the new tickets, null for roots. A parent from an earlier import may have been trashed since, or moved so deep that nothing fits
 * below it; its child then becomes a root.
 */
export async function parentsOf(
  { db, organizationId, projectId, problems }: ImportContext,
  plan: Plan,
  ids: ReadonlyMap<string, number>,
  fresh: ReadonlySet<string>,
): Promise<Map<string, number | null>> {
  const externalParents = new Map(plan.tickets.map(({ externalId, parent }) => [externalId, parent]))
  const rowOf = new Map(plan.tickets.map(({ externalId, row }) => [externalId, row]))
  const held = [...fresh].flatMap(externalId => {
    const parent = externalParents.get(externalId)
    return parent === undefined || fresh.has(parent) ? [] : [ids.get(parent) as number]
  })
  // Locked, so that nobody moves or deletes them.
  const rows = await queryRows(db, { id: int8, trashed: bool })`
    select id, trashed_at is not null as trashed from ticket
    where organization_id = ${organizationId} and project_id = ${projectId} and id = any(${held}::bigint[]) order by id for no key update`
  const trashed = new Set(rows.flatMap(row => (row.trashed ? [row.id] : [])))
  const depths = await depthsOf(db, organizationId, held)

  const parents = new Map<string, number | null>()
  const depthOf = new Map<string, number>()
  const placed = (externalId: string): number => {
    const known = depthOf.get(externalId)
    if (known !== undefined) return known
    const parent = externalParents.get(externalId)
    const parentId = parent === undefined ? null : (ids.get(parent) as number)
    let depth = 0
    if (parent !== undefined && parentId !== null) depth = (fresh.has(parent) ? placed(parent) : (depths.get(parentId) ?? 0)) + 1
    const reason =
      parentId !== null && trashed.has(parentId) ? 'is in the trash' : depth > limits.depth ? 'has no room below it' : undefined
    if (reason) {
      problems.push({
        rows: [rowOf.get(externalId) as number],
        column: 'Parent id',
        text: `the parent ${parent} of ${externalId} ${reason}: the ticket becomes a root`,
      })
      depth = 0
    }
    parents.set(externalId, reason ? null : parentId)
    depthOf.set(externalId, depth)
    return depth
  }
  for (const externalId of fresh) placed(externalId)
  return parents
}

/** The depth of each of these tickets. */
async function depthsOf(db: ImportContext['db'], organizationId: number, ids: number[]) {
  const rows = await queryRows(db, { id: int8, depth: int4 })`
    with recursive up (id, parent_id, depth) as (
      select t.id, t.parent_id, 0 from ticket t where t.organization_id = ${organizationId} and t.id = any(${ids}::bigint[])
      union all
      select up.id, t.parent_id, up.depth + 1 from up join ticket t on t.organization_id = ${organizationId} and t.id = up.parent_id
      where up.depth <= ${limits.depth}
    )
    select id, max(depth)::int as depth from up group by id`
  return new Map(rows.map(({ id, depth }) => [id, depth]))
}
