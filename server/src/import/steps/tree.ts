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
  const planned = new Map(plan.tickets.map(ticket => [ticket.externalId, ticket]))
  const held = [...fresh].flatMap(externalId => {
    const parent = planned.get(externalId)?.parent
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
  /** Its depth: 0 for a root. A new parent is placed first. */
  const placed = (externalId: string): number => {
    const known = depthOf.get(externalId)
    if (known !== undefined) return known
    const { parent, row = 0 } = planned.get(externalId) ?? {}
    const place = parent === undefined ? root : placeBelow(parent)
    if (place.problem) {
      const text = `the parent ${parent} of ${externalId} ${place.problem}: the ticket becomes a root`
      problems.push({ rows: [row], column: 'Parent id', text })
    }
    parents.set(externalId, place.parentId)
    depthOf.set(externalId, place.depth)
    return place.depth
  }
  const placeBelow = (parent: string): TreePlace => {
    const parentId = ids.get(parent) as number
    const depth = (fresh.has(parent) ? placed(parent) : (depths.get(parentId) ?? 0)) + 1
    if (trashed.has(parentId)) return { ...root, problem: 'is in the trash' }
    if (depth > limits.depth) return { ...root, problem: 'has no room below it' }
    return { parentId, depth }
  }
  for (const externalId of fresh) placed(externalId)
  return parents
}

interface TreePlace {
  parentId: number | null
  depth: number
  /** Why the ticket cannot have the parent that the export gives it. */
  problem?: string
}
const root: TreePlace = { parentId: null, depth: 0 }

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
