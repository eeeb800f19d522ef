import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { bool, int4, int8, text } from '../../db/shape.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../lib/authorize.ts'
import { recordChanges } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { configurationChange } from './configuration-change.ts'

/** The things that a project keeps in a user-defined order. */
export type Ordered = 'state' | 'template' | 'field' | 'role'

const nameColumn = { state: 'name', template: 'name', role: 'name', field: 'label' } as const

export interface Row {
  id: number
  name: string
}

/**
 * Every change of a project's configuration takes this lock first: they run one at a time, so that positions stay consistent and checks for
 * "the last one" hold. Refuses in an archived project. Returns the scope with the caller's rights as of now. Of two projects the one with the
 * smaller id is locked first, which prevents deadlocks.
 */
export async function lockConfiguration(db: Db, scope: ProjectScope, otherProjectId = scope.projectId): Promise<ProjectScope> {
  requireOpen(scope)
  for (const id of new Set([scope.projectId, otherProjectId].sort((a, b) => a - b)))
    await sql`select pg_advisory_xact_lock(hashtextextended('project configuration', ${id}::bigint))`.execute(db)
  return requireStillOpen(db, scope)
}

export function requireAll(rows: readonly { id: number }[], ids: readonly number[]) {
  const found = new Set(rows.map(({ id }) => id))
  if (!ids.every(id => found.has(id))) throw notFound()
}

/** Locks the given rows, in order, so that nobody starts to use them until this transaction ends. 404 unless the project has them all. */
export async function lockRows(db: Db, scope: ProjectScope, table: Ordered, ids: readonly number[]): Promise<Row[]> {
  const rows = await queryRows(db, { id: int8, name: text })`
    select id, ${sql.ref(nameColumn[table])} as name from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids})
    order by position, id for update`
  requireAll(rows, ids)
  return rows
}

/** The position after the last; 422 when there are as many as there may be. Call under the lock. */
export async function nextPosition(db: Db, scope: ProjectScope, table: Ordered) {
  const rows = await queryRows(db, { position: int4, count: int4 })`
    select coalesce(max(position) + 1, 0) as position, count(*)::int as count from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId}`
  const { position, count } = rows[0] ?? { position: 0, count: 0 }
  if (count >= limits.perProject) throw tooMany(table)
  return position
}

export function tooMany(table: Ordered) {
  const also = table === 'field' || table === 'template' ? ', archived ones included' : ''
  return new Failure('rule', `A project has at most ${limits.perProject} ${table}s${also}`)
}

/** Puts the given ids first, in their order; those left out follow in the order they had. */
export async function setOrder(db: Db, scope: ProjectScope, table: Ordered, given: readonly number[]) {
  await lockConfiguration(db, scope)
  const rows = await queryRows(db, { id: int8 })`
    select id from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} order by position, id`
  requireAll(rows, given)
  const before = rows.map(({ id }) => id)
  const first = new Set(given)
  const after = [...given, ...before.filter(id => !first.has(id))]
  if (after.every((id, index) => id === before[index])) return
  await sql`
    update ${sql.table(table)} as ordered set position = place.ordinality - 1
    from unnest(${after}::bigint[]) with ordinality as place (id, ordinality)
    where ordered.organization_id = ${scope.organizationId} and ordered.project_id = ${scope.projectId} and ordered.id = place.id`.execute(
    db,
  )
  await recordChanges(db, scope, [configurationChange(scope, table, null, 'Order', JSON.stringify(before), JSON.stringify(after))])
}

/** Refuses names that others have, or that two of them share, ignoring case; call under the lock. */
export async function requireFreeNames(
  db: Db,
  scope: ProjectScope,
  table: Exclude<Ordered, 'field'>,
  names: readonly string[],
  exceptId: number | null = null,
) {
  const rows = await queryRows(db, { name: text, archived: bool })`
    with wanted as materialized (select lower(name) as folded, name, place from unnest(${names}::text[]) with ordinality as w (name, place))
    select w.name, ${table === 'template' ? sql`other.archived_at is not null` : sql`false`} as archived from wanted w
    left join ${sql.table(table)} other on other.organization_id = ${scope.organizationId} and other.project_id = ${scope.projectId}
      and lower(other.name) = w.folded and other.id is distinct from ${exceptId}::bigint
    where other.id is not null or exists (select 1 from wanted first where first.folded = w.folded and first.place < w.place)
    order by w.place limit 1`
  const [taken] = rows
  if (!taken) return
  const error = taken.archived
    ? `An archived ${table} has the name ${taken.name}: restore it instead`
    : `This project already has a ${table} named ${taken.name}`
  throw new Failure('duplicate', error)
}
