import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../../db/db.ts'
import { bool, int4, int8 } from '../../../db/shape.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import { recordChanges, ticketChange } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { countTickets } from '../counting/count-tickets.ts'
import { idText } from '../history/stored-values.ts'
import { holdTickets, linesAbove, lockTree } from '../ticket-tree.ts'
import { ancestorsFirst, problemOfMoves } from './tree-moves.ts'

interface Move {
  id: number
  parentId: number | null
}

/** The tickets in their order, but each after its ancestors, in the trash or not. */
export async function inTreeOrder(db: Db, scope: ProjectScope, ids: readonly number[]) {
  const line = await linesAbove(db, scope, ids)
  return ancestorsFirst(ids, new Map(line.map(({ id, parentId }) => [id, parentId])))
}

const heights = statement(
  { id: int8, height: int4 },
  `
  with recursive below (root_id, id, height) as (
    select root, root, 0 from unnest($2::bigint[]) as root
    union all
    select below.root_id, t.id, below.height + 1
    from below join ticket t on t.organization_id = $1 and t.parent_id = below.id and t.trashed_at is null and t.id <> all($3)
    where below.height <= ${limits.depth}
  )
  select root_id as id, max(height) as height from below group by root_id`,
)
/** How many levels of tickets each of these has below it. `without`: tickets that do not count, nor does what is below them. */
export async function heightsOf(db: Db, { organizationId }: ProjectScope, ids: readonly number[], without: readonly number[]) {
  const rows = await run(db, heights, [organizationId, ids, without])
  return new Map(rows.map(({ id, height }) => [id, height]))
}

/** Puts each ticket under its new parent, all or none, and returns the former parents of those that moved. */
export async function moveAll(db: Db, scope: ProjectScope, moves: readonly Move[]): Promise<Move[]> {
  const { organizationId, projectId } = scope
  await lockTree(db, scope)
  const wanted = new Map(moves.map(({ id, parentId }) => [id, parentId]))
  const held = await holdTickets(db, scope, [...wanted.keys()])
  await requireStillOpen(db, scope)
  if (held.length !== wanted.size) throw notFound()
  for (const { trashRootId } of held) requireOpen({ ...scope, trashed: trashRootId !== null })
  const moved = held.filter(({ id, parentId }) => parentId !== wanted.get(id))
  if (moved.length === 0) return []

  const ids = moved.map(({ id }) => id)
  if (ids.some(id => wanted.get(id) !== null)) {
    await excludeNewChildren(db, scope)
    await requireParents(db, scope, new Map(ids.map(id => [id, wanted.get(id) ?? null])))
  }
  await sql`
    update ticket t set parent_id = m.parent_id
    from unnest(${ids}::bigint[], ${ids.map(id => wanted.get(id) ?? null)}::bigint[]) as m (id, parent_id)
    where t.organization_id = ${organizationId} and t.id = m.id`.execute(db)
  await countTickets(
    db,
    scope,
    moved.map(ticket => ({ before: ticket, after: { ...ticket, parentId: wanted.get(ticket.id) ?? null } })),
  )

  await recordChanges(
    db,
    scope,
    moved.map(({ id, parentId }) => ticketChange({ projectId, ticketId: id }, 'Parent', idText(parentId), idText(wanted.get(id) ?? null))),
  )
  return moved.map(({ id, parentId }) => ({ id, parentId }))
}

/** Refuses new parents that the project does not have, that are in the trash, or that would make a circle or too deep a tree. */
async function requireParents(db: Db, scope: ProjectScope, wanted: ReadonlyMap<number, number | null>) {
  const ids = [...wanted.keys()]
  const parents = [...new Set([...wanted.values()].flatMap(parentId => parentId ?? []))]
  const line = new Map((await linesAbove(db, scope, parents)).map(row => [row.id, row]))
  const found = parents.map(id => line.get(id))
  if (found.includes(undefined)) throw notFound()
  if (found.some(parent => parent?.trashRootId !== null)) throw new Failure('rule', 'The parent is in the trash and takes no tickets')
  const parentOf = new Map([...[...line.values()].map(({ id, parentId }) => [id, parentId] as const), ...wanted])
  // What moves itself is measured at its new place.
  const problem = problemOfMoves(ids, parentOf, await heightsOf(db, scope, ids, ids))
  if (problem !== undefined) throw new Failure('rule', problem)
}

/**
 * Keeps others from creating child tickets until the transaction ends, by writing the project's row unchanged: creating a child locks that row. 422 when
 * the project was archived meanwhile.
 */
export async function excludeNewChildren(db: Db, scope: ProjectScope) {
  const [project] = await queryRows(db, { archived: bool })`
    update project set workflow_version = workflow_version where organization_id = ${scope.organizationId} and id = ${scope.projectId}
    returning archived_at is not null as archived`
  requireOpen({ ...scope, archived: project?.archived ?? true })
}
