import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { Failure, notFoundAt } from '../../../lib/failure.ts'

export async function requireState(db: Db, scope: ProjectScope, stateId: number) {
  const rows = await queryRows(db, { id: int8 })`
    select id from state
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = ${stateId}`
  if (rows.length === 0) throw notFoundAt(['idEntryState'])
}

/** 404 unless all are fields of the project, 422 when one of them is archived: it is no longer offered. */
export async function requireFields(db: Db, scope: ProjectScope, ids: readonly number[]) {
  const rows = await queryRows(db, { id: int8, label: text, archived: bool })`
    select id, label, archived_at is not null as archived from field
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${ids})
    order by position, id`
  const found = new Set(rows.map(({ id }) => id))
  if (!ids.every(id => found.has(id))) throw notFoundAt(['Fields'])
  const archived = rows.find(row => row.archived)
  if (archived) throw new Failure('rule', `The field ${archived.label} is archived: restore it first`)
}

/** The template's fields in order, without archived ones. */
export async function templateFields(db: Db, scope: ProjectScope, templateId: number) {
  const rows = await queryRows(db, { id: int8 })`
    select tf.field_id as id from template_field tf
    join field f on f.organization_id = tf.organization_id and f.id = tf.field_id and f.archived_at is null
    where tf.organization_id = ${scope.organizationId} and tf.template_id = ${templateId} order by tf.position, tf.field_id`
  return rows.map(({ id }) => id)
}

/** Replaces the template's fields; archived ones are kept at the end and reappear when they are restored. */
export async function setTemplateFields(db: Db, scope: ProjectScope, templateId: number, ids: readonly number[]) {
  const { organizationId, projectId } = scope
  await sql`
    delete from template_field tf using field f
    where tf.organization_id = ${organizationId} and tf.template_id = ${templateId} and not tf.field_id = any(${ids})
      and f.organization_id = tf.organization_id and f.id = tf.field_id and f.archived_at is null`.execute(db)
  await sql`
    update template_field set position = position + 10000
    where organization_id = ${organizationId} and template_id = ${templateId} and position < 10000`.execute(db)
  await sql`
    insert into template_field (organization_id, project_id, template_id, field_id, position)
    select ${organizationId}::bigint, ${projectId}::bigint, ${templateId}::bigint, place.id, place.ordinality - 1
    from unnest(${ids}::bigint[]) with ordinality as place (id, ordinality)
    on conflict (organization_id, template_id, field_id) do update set position = excluded.position`.execute(db)
}

/** Tickets per template, including those in the trash. Counters have the others; the trash is read once for all templates. */
export async function templateUsage(db: Db, scope: ProjectScope, ids: readonly number[]) {
  return queryRows(db, { id: int8, Tickets: int4 })`
    with trash as materialized (
      select template_id, count(*)::int as tickets from ticket
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and template_id = any(${ids}) and trashed_at is not null
      group by template_id)
    select t.id, (
      select coalesce(sum(c.tickets), 0)::int from ticket_tally c
      where c.organization_id = ${scope.organizationId} and c.project_id = ${scope.projectId} and c.template_id = t.id
    ) + coalesce((select trash.tickets from trash where trash.template_id = t.id), 0) as "Tickets"
    from template t
    where t.organization_id = ${scope.organizationId} and t.project_id = ${scope.projectId} and t.id = any(${ids})
    order by t.position, t.id`
}
