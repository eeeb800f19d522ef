import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { type ProjectScope, requireOpen } from '../../lib/authorize.ts'
import { type Change, recordChanges } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'

/** What a project has in an order of its own. */
export type Ordered = 'state' | 'template' | 'field' | 'role'

const nameColumn = { state: 'name', template: 'name', role: 'name', field: 'label' } as const

export interface Row {
  id: number
  name: string
}

/**
 * Every change of a project's configuration begins here: they run one after the other, so that positions stay whole and
 * "the last one" means it. Refuses in an archived project.
 */
export async function lockConfiguration(db: Db, scope: ProjectScope) {
  requireOpen(scope)
  await sql`select pg_advisory_xact_lock(hashtextextended('project configuration', ${scope.projectId}::bigint))`.execute(db)
}

/** A row of history about the project's configuration. */
export function configurationChange(
  scope: ProjectScope,
  subject: Change['subject'],
  subjectId: number | null,
  field: string,
  before: string | null,
  after: string | null,
): Change {
  return { subject, subjectId, projectId: scope.projectId, field, before, after }
}

export function requireAll(rows: readonly { id: number }[], ids: readonly number[]) {
  const found = new Set(rows.map(({ id }) => id))
  if (!ids.every(id => found.has(id))) throw notFound()
}

/** The given rows in their order, locked: nobody starts to use them until this transaction ends. 404 unless the project has them all. */
export async function lockRows(db: Db, scope: ProjectScope, table: Ordered, ids: readonly number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, ${sql.ref(nameColumn[table])} as name from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids})
    order by position, id for update`.execute(db)
  requireAll(rows, ids)
  return rows
}

/** The position after the last. */
export async function nextPosition(db: Db, scope: ProjectScope, table: Ordered) {
  const { rows } = await sql<{ position: number }>`
    select coalesce(max(position) + 1, 0) as position from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId}`.execute(db)
  return rows[0]?.position ?? 0
}

/** Puts the given ids first, in their order; those left out follow in the order they had. */
export async function setOrder(db: Db, scope: ProjectScope, table: Ordered, given: readonly number[]) {
  await lockConfiguration(db, scope)
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} order by position, id`.execute(db)
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

/** Refuses a name that another one has, ignoring case; call under the lock. */
export async function requireFreeName(
  db: Db,
  scope: ProjectScope,
  table: Exclude<Ordered, 'field'>,
  name: string,
  exceptId: number | null = null,
) {
  const { rows } = await sql<{ archived: boolean }>`
    select ${table === 'template' ? sql`archived_at is not null` : sql`false`} as archived from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and lower(name) = lower(${name})
      and id is distinct from ${exceptId}::bigint`.execute(db)
  const [other] = rows
  if (other) {
    throw new Failure(
      'duplicate',
      other.archived
        ? `An archived ${table} has the name ${name}: restore it instead`
        : `This project has a ${table} named ${name} already`,
    )
  }
}

/** Deletes what is unused and archives the rest: gone from choices, restorable. */
export async function deleteOrArchive(db: Db, scope: ProjectScope, table: 'field' | 'template', rows: Row[], used: ReadonlySet<number>) {
  const unused = rows.filter(({ id }) => !used.has(id))
  const Deleted = unused.map(({ id }) => id)
  if (Deleted.length > 0) {
    await sql`
      delete from ${sql.table(table)}
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${Deleted})`.execute(db)
  }
  const { rows: archived } = await sql<{ id: number }>`
    update ${sql.table(table)} set archived_at = now()
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${[...used]}) and archived_at is null
    returning id`.execute(db)
  const named = table === 'field' ? 'Label' : 'Name'
  await recordChanges(db, scope, [
    ...unused.map(({ id, name }) => configurationChange(scope, table, id, named, name, null)),
    ...archived.map(({ id }) => configurationChange(scope, table, id, 'Archived', '0', '1')),
  ])
  return { Success: 1 as const, Deleted, Archived: rows.filter(({ id }) => used.has(id)).map(({ id }) => id) }
}

/** Brings archived rows back; those that are not archived stay as they are. */
export async function restoreArchived(db: Db, scope: ProjectScope, table: 'field' | 'template', ids: readonly number[]) {
  await lockConfiguration(db, scope)
  await lockRows(db, scope, table, ids)
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set archived_at = null
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids}) and archived_at is not null
    returning id`.execute(db)
  await recordChanges(
    db,
    scope,
    rows.map(({ id }) => configurationChange(scope, table, id, 'Archived', '1', '0')),
  )
  return { Success: 1 as const }
}
