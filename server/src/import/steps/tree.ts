import { limits } from '@tessera/contract/limits'
import { queryRows } from '../../db/db.ts'
import { bool, int4, int8, text } from '../../db/shape.ts'
import type { ParentName, Plan } from '../export/plan.ts'
import type { ImportContext } from './context.ts'

/**
 * The parents of the new tickets, null for roots. `ids`: of the tickets in the file. A parent from an earlier import may have been trashed since, or
 * moved so deep that nothing fits below it; its child then becomes a root.
 */
export async function parentsOf(
  context: ImportContext,
  plan: Plan,
  ids: ReadonlyMap<string, number>,
  fresh: ReadonlySet<string>,
): Promise<Map<string, number | null>> {
  const { db, organizationId, projectId, problems } = context
  const planned = new Map(plan.tickets.map(ticket => [ticket.externalId, ticket]))
  const outside = await ticketsOutside(
    context,
    [...fresh].flatMap(externalId => planned.get(externalId)?.outside ?? []),
  )
  const parentOf = (externalId: string) => {
    const ticket = planned.get(externalId)
    return ticket?.outside.find(({ name }) => outside.has(name)) ?? ticket?.parent
  }
  const idOf = (externalId: string) => (ids.get(externalId) ?? outside.get(externalId)) as number
  const held = [...fresh].flatMap(externalId => {
    const parent = parentOf(externalId)
    return parent === undefined || fresh.has(parent.name) ? [] : [idOf(parent.name)]
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
    const parent = parentOf(externalId)
    const { row = 0, outside: [missing] = [] } = planned.get(externalId) ?? {}
    if (parent === undefined && missing) {
      const problem = `${missing.name} is neither in the file nor in the project: the ticket becomes a root`
      problems.push({ rows: [row], column: missing.column, text: problem })
    }
    const place = parent === undefined ? root : placeBelow(parent.name)
    if (parent && place.problem) {
      const problem = `the parent ${parent.name} of ${externalId} ${place.problem}: the ticket becomes a root`
      problems.push({ rows: [row], column: parent.column, text: problem })
    }
    parents.set(externalId, place.parentId)
    depthOf.set(externalId, place.depth)
    return place.depth
  }
  const placeBelow = (parent: string): TreePlace => {
    const parentId = idOf(parent)
    const depth = (fresh.has(parent) ? placed(parent) : (depths.get(parentId) ?? 0)) + 1
    if (trashed.has(parentId)) return { ...root, problem: 'is in the trash' }
    if (depth > limits.depth) return { ...root, problem: 'has no room below it' }
    return { parentId, depth }
  }
  for (const externalId of fresh) placed(externalId)
  return parents
}

/** The project's tickets of earlier imports with these original keys. */
async function ticketsOutside({ db, organizationId, projectId }: ImportContext, names: readonly ParentName[]) {
  const rows = await queryRows(db, { id: int8, key: text })`
    select id, external_id as key from ticket where organization_id = ${organizationId} and project_id = ${projectId}
      and external_id = any(${[...new Set(names.map(({ name }) => name))]}::text[])`
  return new Map(rows.map(({ id, key }) => [key, id]))
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
