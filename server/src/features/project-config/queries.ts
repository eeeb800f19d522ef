import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { bool, int4, int8, json, text } from '../../db/shape.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../lib/authorize.ts'
import { type Change, recordChanges } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'

/** The things that a project keeps in a user-defined order. */
type Ordered = 'state' | 'template' | 'field' | 'role'

const nameColumn = { state: 'name', template: 'name', role: 'name', field: 'label' } as const

export interface Row {
  id: number
  name: string
}

/**
 * Every change of a project's configuration takes this lock first: they run one at a time, so that positions stay consistent and checks for
 * "the last one" hold. Refuses in an archived project.
 */
export async function lockConfiguration(db: Db, scope: ProjectScope) {
  requireOpen(scope)
  await sql`select pg_advisory_xact_lock(hashtextextended('project configuration', ${scope.projectId}::bigint))`.execute(db)
  await requireStillOpen(db, scope)
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

/** The deleted values of one object, by the field of their history row. */
export interface Deletion {
  id: number
  changeSetId: number
  parts: Record<string, string>
}

/** The last deletion of each, the latest first; none for objects that were never deleted. */
export async function lastDeletions(
  db: Db,
  { organizationId, projectId }: { organizationId: number; projectId: number | null },
  subject: Ordered | 'label' | 'project_member' | 'organization_member',
  ids: readonly number[],
): Promise<Deletion[]> {
  const rows = await queryRows(db, { id: int8, changeSetId: int8, parts: json<Record<string, string>>() })`
    select distinct on (subject_id) subject_id as id, change_set_id as "changeSetId", json_object_agg(field, before) as parts from change
    where organization_id = ${organizationId} and subject = ${sql.lit(subject)} and subject_id = any(${ids}) and after is null
      and project_id is not distinct from ${projectId}::bigint
    group by subject_id, change_set_id order by subject_id, change_set_id desc`
  return rows.sort((a, b) => b.changeSetId - a.changeSetId || ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** One part of each, for a statement that inserts them all. */
export function partOfEach(deletions: readonly Deletion[], part: string) {
  return deletions.map(({ parts }) => parts[part] ?? null)
}

/** History rows for all parts of an object that is deleted or restored. */
export function partChanges(
  subject: Change['subject'],
  subjectId: number,
  projectId: number | undefined,
  parts: Record<string, string>,
  isBack: boolean,
): Change[] {
  return Object.entries(parts).map(([field, value]) => ({
    subject,
    subjectId,
    ...(projectId !== undefined && { projectId }),
    field,
    before: isBack ? null : value,
    after: isBack ? value : null,
  }))
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

function tooMany(table: Ordered) {
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

/** Refuses a name that another one has, ignoring case; call under the lock. */
export async function requireFreeName(
  db: Db,
  scope: ProjectScope,
  table: Exclude<Ordered, 'field'>,
  name: string,
  exceptId: number | null = null,
) {
  await requireFreeNames(db, scope, table, [name], exceptId)
}

/** The same for several new ones, which must not have one name either. */
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

/** What history keeps of a deleted row, enough to bring it back. */
function partsOf(table: Ordered, scope: ProjectScope) {
  switch (table) {
    case 'state':
      return sql`json_strip_nulls(json_build_object('Name', name, 'Phase', phase::text, 'Position', position::text, 'Limit', board_limit::text,
        'LimitHolds', case when limit_holds then '1' end))`
    case 'role':
      return sql`json_build_object('Name', name, 'Position', position::text)`
    case 'field':
      return sql`json_build_object('Label', label, 'Key', key, 'Type', type_id::text, 'Options', options::text, 'Position', position::text)`
    case 'template':
      return sql`json_build_object('Name', name, 'EntryState', entry_state_id::text, 'Fields', (
        select coalesce(json_agg(tf.field_id order by tf.position, tf.field_id), '[]')::text from template_field tf
        where tf.organization_id = ${scope.organizationId} and tf.template_id = template.id), 'Position', position::text,
        'Defaults', coalesce(defaults::text, ''))`
  }
}

/** Deletes the rows and returns the history of it; `restoreDeleted` undoes it. */
export async function deleteRows(db: Db, scope: ProjectScope, table: Ordered, ids: readonly number[]): Promise<Change[]> {
  if (ids.length === 0) return []
  const rows = await queryRows(db, { id: int8, parts: json<Record<string, string>>() })`
    with gone as materialized (
      select id, ${partsOf(table, scope)} as parts from ${sql.table(table)}
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids})
    ), deleted as (
      delete from ${sql.table(table)}
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids})
      returning id
    )
    select gone.id, gone.parts from gone join deleted on deleted.id = gone.id`
  return rows
    .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .flatMap(({ id, parts }) => partChanges(table, id, scope.projectId, parts, false))
}

/**
 * Restores deleted rows under their former ids; `insert` writes them. Existing rows are left alone; 404 for rows that the project never had.
 * Returns what it restored and the history of it.
 */
export async function restoreDeleted(
  db: Db,
  scope: ProjectScope,
  table: Ordered,
  ids: readonly number[],
  insert: (deletions: readonly Deletion[]) => Promise<unknown>,
): Promise<{ deletions: Deletion[]; changes: Change[] }> {
  const rows = await queryRows(db, { id: int8 })`
    select id from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids})`
  const existing = new Set(rows.map(({ id }) => id))
  const gone = ids.filter(id => !existing.has(id))
  const deletions = await lastDeletions(db, scope, table, gone)
  requireAll(deletions, gone)
  if (deletions.length > 0) await insert(deletions)
  const all = await queryRows(db, { count: int4 })`
    select count(*)::int as count from ${sql.table(table)}
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId}`
  if (deletions.length > 0 && (all[0]?.count ?? 0) > limits.perProject) throw tooMany(table)
  return { deletions, changes: deletions.flatMap(({ id, parts }) => partChanges(table, id, scope.projectId, parts, true)) }
}

/** Deletes what is unused and archives the rest, which is no longer offered but can be restored. */
export async function deleteOrArchive(db: Db, scope: ProjectScope, table: 'field' | 'template', rows: Row[], used: ReadonlySet<number>) {
  const Deleted = rows.filter(({ id }) => !used.has(id)).map(({ id }) => id)
  const deletion = await deleteRows(db, scope, table, Deleted)
  const archived = await queryRows(db, { id: int8 })`
    update ${sql.table(table)} set archived_at = now()
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${[...used]}) and archived_at is null
    returning id`
  await recordChanges(db, scope, [...deletion, ...archived.map(({ id }) => configurationChange(scope, table, id, 'Archived', '0', '1'))])
  return { Success: 1 as const, Deleted, Archived: rows.filter(({ id }) => used.has(id)).map(({ id }) => id) }
}

/** Undoes `deleteOrArchive`; what is neither deleted nor archived stays as it is. */
export async function restoreConfiguration(
  db: Db,
  scope: ProjectScope,
  table: 'field' | 'template',
  ids: readonly number[],
  insert: (deletions: readonly Deletion[]) => Promise<unknown>,
) {
  await lockConfiguration(db, scope)
  const { changes } = await restoreDeleted(db, scope, table, ids, insert)
  await lockRows(db, scope, table, ids)
  const rows = await queryRows(db, { id: int8 })`
    update ${sql.table(table)} set archived_at = null
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids}) and archived_at is not null
    returning id`
  await recordChanges(db, scope, [...changes, ...rows.map(({ id }) => configurationChange(scope, table, id, 'Archived', '1', '0'))], {
    what: 'restore',
    projectId: scope.projectId,
  })
  return { Success: 1 as const }
}
