import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { bool, int4, int8, json } from '../../db/shape.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { type Change, recordChanges } from '../../lib/changes.ts'
import { configurationChange } from './configuration-change.ts'
import { lockConfiguration, lockRows, type Ordered, type Row, requireAll, tooMany } from './ordered-rows.ts'

/** The deleted values of one object, by the field of their history row. */
export interface Deletion {
  id: number
  changeSetId: number
  /** Less than a day ago. */
  isRecent: boolean
  parts: Record<string, string>
}

/** The last deletion of each, the latest first; none for objects that were never deleted. */
export async function lastDeletions(
  db: Db,
  { organizationId, projectId }: { organizationId: number; projectId: number | null },
  subject: Ordered | 'label' | 'project_member' | 'organization_member',
  ids: readonly number[],
): Promise<Deletion[]> {
  const rows = await queryRows(db, { id: int8, changeSetId: int8, isRecent: bool, parts: json<Record<string, string>>() })`
    select distinct on (subject_id) subject_id as id, change_set_id as "changeSetId", max(changed_at) > now() - interval '1 day' as "isRecent",
      json_object_agg(field, before) as parts from change
    where organization_id = ${organizationId} and subject = ${sql.lit(subject)} and subject_id = any(${ids}) and after is null
      and project_id is not distinct from ${projectId}::bigint
    group by subject_id, change_set_id order by subject_id, change_set_id desc`
  return rows.sort((a, b) => b.changeSetId - a.changeSetId || ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** One part of each, for a statement that inserts them all. */
export function partOfEach(deletions: readonly Deletion[], part: string) {
  return deletions.map(({ parts }) => parts[part] ?? null)
}

/** History rows for all parts of an object that is added (made or restored) or deleted. */
export function partChanges(
  object: Pick<Change, 'subject' | 'subjectId' | 'projectId'>,
  parts: Record<string, string>,
  what: 'added' | 'deleted',
): Change[] {
  return Object.entries(parts).map(([field, value]) => ({
    ...object,
    field,
    before: what === 'added' ? null : value,
    after: what === 'added' ? value : null,
  }))
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
    .flatMap(({ id, parts }) => partChanges({ subject: table, subjectId: id, projectId: scope.projectId }, parts, 'deleted'))
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
  return {
    deletions,
    changes: deletions.flatMap(({ id, parts }) =>
      partChanges({ subject: table, subjectId: id, projectId: scope.projectId }, parts, 'added'),
    ),
  }
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
