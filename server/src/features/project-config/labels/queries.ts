import { limits } from '@tessera/contract/limits'
import { organizationAdmin } from '@tessera/contract/permissions'
import { needsOrganizationAdmin } from '@tessera/contract/refusals'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int4, int8, nullable, type RowOf, text } from '../../../db/shape.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import type { Change } from '../../../lib/changes.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Rewritten } from '../../views/renamed-words.ts'
import { partChanges } from '../deletions.ts'
import { requireAll } from '../ordered-rows.ts'

const labelShape = {
  id: int8,
  /** Null for a label of the whole organization. */
  projectId: nullable(int8),
  name: text,
  color: text,
}
export type Label = RowOf<typeof labelShape>

/** Every change of labels takes this lock first: those of one organization run one at a time, so that names stay unique. Returns the scope with the caller's rights as of now. */
export async function lockLabels(db: Db, scope: ProjectScope): Promise<ProjectScope> {
  requireOpen(scope)
  await sql`select pg_advisory_xact_lock(hashtextextended('labels', ${scope.organizationId}::bigint))`.execute(db)
  return requireStillOpen(db, scope)
}

/** Those of the given labels that the project offers. */
export async function findLabels(db: Db, { organizationId, projectId }: ProjectScope, ids: readonly number[]): Promise<Label[]> {
  return queryRows(db, labelShape)`
    select id, project_id as "projectId", name, color from label
    where organization_id = ${organizationId} and (project_id = ${projectId} or project_id is null) and id = any(${ids}) order by id`
}

/** The given labels; 404 unless the project offers them all, 422 when one is the organization's and the caller may not change it. */
export async function changeableLabels(db: Db, scope: ProjectScope, ids: readonly number[]): Promise<Label[]> {
  const labels = await findLabels(db, scope, ids)
  requireAll(labels, ids)
  for (const label of labels) requireScope(scope, label)
  return labels
}

/** Refuses the organization's labels to everybody but its admins. */
export function requireScope(scope: ProjectScope, { projectId }: Pick<Label, 'projectId'>) {
  if (projectId === null && !scope.admin) {
    throw new Failure('not_permitted', needsOrganizationAdmin, { needs: organizationAdmin })
  }
}

/** Refuses a name that another label of the same scope has, ignoring case; call under the lock. */
export async function requireFreeLabel(db: Db, scope: ProjectScope, projectId: number | null, name: string, exceptId: number | null) {
  const { rows } = await sql`
    select 1 from label
    where organization_id = ${scope.organizationId} and project_id is not distinct from ${projectId}::bigint and lower(name) = lower(${name})
      and id is distinct from ${exceptId}::bigint`.execute(db)
  if (rows.length > 0) throw nameTaken({ projectId, name })
}

export function nameTaken({ projectId, name }: Pick<Label, 'projectId' | 'name'>) {
  return new Failure('duplicate', `${projectId === null ? 'The organization' : 'This project'} already has a label named ${name}`)
}

/** Refuses more labels than there may be; call under the lock. */
export async function requireFewerLabels(db: Db, scope: ProjectScope, projectId: number | null, more = 1) {
  const rows = await queryRows(db, { count: int4 })`
    select count(*)::int as count from label
    where organization_id = ${scope.organizationId} and project_id is not distinct from ${projectId}::bigint`
  if ((rows[0]?.count ?? 0) + more <= limits.labels) return
  throw new Failure('rule', `${projectId === null ? 'An organization' : 'A project'} has at most ${limits.labels} labels`)
}

/** The label in a row of history. */
export function labelSubject({ id, projectId }: Pick<Label, 'id' | 'projectId'>) {
  return { subject: 'label' as const, subjectId: id, ...(projectId !== null && { projectId }) }
}
/** History of a label that was added (made or restored) or deleted, with the stored queries in which another took its place. */
export function labelChanges(label: Label, what: 'added' | 'deleted', queries: readonly Rewritten[] = []): Change[] {
  const parts = { Name: label.name, Color: label.color, ...(queries.length > 0 && { Queries: JSON.stringify(queries) }) }
  return partChanges(labelSubject(label), parts, what)
}
