import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int2, int4, int8, nullable, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, changesOf } from '../../../lib/changes.ts'
import { dueField } from '../../projects/due-field.ts'
import { newParts } from '../configuration-change.ts'
import { deleteRows } from '../deletions.ts'
import { labelChanges, requireFewerLabels } from '../labels/queries.ts'
import { incrementWorkflowVersion, workflowChange } from '../states/workflow/transitions.ts'

// Each copies one kind of rows of the project `from`, in as many statements for many rows as for few.

/** The copy of each row: both are ids. */
export type Copies = ReadonlyMap<number, number>

/** What was copied, and its history. */
export interface Copied<Row> {
  rows: Row[]
  changes: Change[]
}

/** SQL: a table of the ids and the ids of their copies. Joined by name instead, 10,000 transitions would take longer than a statement may. */
export const pairsOf = (copies: Copies) => sql`unnest(${[...copies.keys()]}::bigint[], ${[...copies.values()]}::bigint[])`

/** Finds the source of each copy by its name or database key, which is unique in a project. */
export async function copiesOf(
  db: Db,
  { organizationId }: ProjectScope,
  from: number,
  table: 'state' | 'field' | 'template',
  made: readonly { id: number; name: string }[],
): Promise<Copies> {
  const sources = await queryRows(db, { id: int8, name: text })`
    select id, ${sql.ref(table === 'field' ? 'key' : 'name')} as name from ${sql.table(table)}
    where organization_id = ${organizationId} and project_id = ${from}`
  const copyOf = new Map(made.map(({ id, name }) => [name, id]))
  return new Map(
    sources.flatMap(({ id, name }): [number, number][] => {
      const copy = copyOf.get(name)
      return copy === undefined ? [] : [[id, copy]]
    }),
  )
}

export async function copyStates(db: Db, scope: ProjectScope, from: number): Promise<Copied<unknown> & { copies: Copies }> {
  const rows = await queryRows(db, { id: int8, name: text, phase: int2, limit: nullable(int4), holds: bool })`
    insert into state (organization_id, project_id, name, phase, board_limit, limit_holds, position)
    select organization_id, ${scope.projectId}::bigint, name, phase, board_limit, limit_holds, row_number() over (order by position, id) - 1
    from state where organization_id = ${scope.organizationId} and project_id = ${from}
    returning id, name, phase, board_limit as "limit", limit_holds as holds`
  const changes = rows.flatMap(({ id, name, phase, limit, holds }) =>
    newParts(scope, 'state', id, {
      Name: name,
      Phase: String(phase),
      Limit: limit === null ? null : String(limit),
      LimitHolds: holds && '1',
    }),
  )
  return { rows, changes, copies: await copiesOf(db, scope, from, 'state', rows) }
}

export async function copyTransitions(db: Db, scope: ProjectScope, from: number, states: Copies): Promise<Copied<unknown>> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { from: int8, to: int8 })`
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select move.organization_id, ${projectId}::bigint, source.copy_id, target.copy_id from state_transition move
    join ${pairsOf(states)} as source (id, copy_id) on source.id = move.from_state_id
    join ${pairsOf(states)} as target (id, copy_id) on target.id = move.to_state_id
    where move.organization_id = ${organizationId} and move.project_id = ${from}
    returning from_state_id as "from", to_state_id as "to"`
  if (rows.length === 0) return { rows, changes: [] }
  await incrementWorkflowVersion(db, scope)
  return { rows, changes: [workflowChange(scope, [], rows)] }
}

const copiedField = { id: int8, key: text, label: text, typeId: int2, options: text }
export type CopiedField = { id: number; key: string; label: string; typeId: number; options: string }

export async function copyFields(db: Db, scope: ProjectScope, from: number): Promise<Copied<CopiedField> & { copies: Copies }> {
  const rows = await queryRows(db, copiedField)`
    insert into field (organization_id, project_id, key, label, type_id, options, position)
    select organization_id, ${scope.projectId}::bigint, key, label, type_id, options, row_number() over (order by position, id) - 1
    from field where organization_id = ${scope.organizationId} and project_id = ${from} and archived_at is null
    returning id, key, label, type_id as "typeId", options::text as options`
  const changes = rows.flatMap(({ id, key, label, typeId, options }) =>
    newParts(scope, 'field', id, { Label: label, Key: key, Type: String(typeId), Options: options !== '[]' && options }),
  )
  const named = rows.map(({ id, key }) => ({ id, name: key }))
  return { rows, changes, copies: await copiesOf(db, scope, from, 'field', named) }
}

/** The project's own roles, which nobody has on a ticket, make room for the copies. */
export async function copyRoles(db: Db, scope: ProjectScope, from: number, ownRoles: readonly number[]): Promise<Copied<unknown>> {
  const deleted = await deleteRows(db, scope, 'role', ownRoles)
  const rows = await queryRows(db, { id: int8, name: text })`
    insert into role (organization_id, project_id, name, position)
    select organization_id, ${scope.projectId}::bigint, name, row_number() over (order by position, id) - 1
    from role where organization_id = ${scope.organizationId} and project_id = ${from}
    returning id, name`
  return { rows, changes: [...deleted, ...rows.flatMap(({ id, name }) => newParts(scope, 'role', id, { Name: name }))] }
}

/** Labels of the other project, not those of the organization. A label with a name that the project already has stays as it is. */
export async function copyLabels(db: Db, scope: ProjectScope, from: number): Promise<Copied<unknown>> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { id: int8, name: text, color: text })`
    insert into label (organization_id, project_id, name, color)
    select organization_id, ${projectId}::bigint, name, color from label where organization_id = ${organizationId} and project_id = ${from}
    on conflict (organization_id, project_id, lower(name)) do nothing
    returning id, name, color`
  await requireFewerLabels(db, scope, projectId, 0)
  return { rows, changes: rows.flatMap(label => labelChanges({ ...label, projectId }, 'added')) }
}

/** Call it when the fields are copied: one of them may say when a ticket is due. */
export async function copySettings(db: Db, scope: ProjectScope, from: number): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { id: int8, hold: bool, key: nullable(text), due: text })`
    select id, blockers_hold as hold, due_field_key as key, ${dueField(organizationId)} as due from project
    where organization_id = ${organizationId} and id in (${projectId}, ${from})`
  const [own, other] = [projectId, from].map(id => rows.find(row => row.id === id))
  if (!own || !other) throw new Error(`project ${projectId} or ${from} is gone`)
  await sql`
    update project set blockers_hold = ${other.hold}, due_field_key = ${other.key}
    where organization_id = ${organizationId} and id = ${projectId}`.execute(db)
  return changesOf(
    { subject: 'project', subjectId: projectId, projectId },
    { BlockersHold: [String(Number(own.hold)), String(Number(other.hold))], DueField: ['', other.due] },
  )
}
