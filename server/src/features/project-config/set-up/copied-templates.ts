import { type Db, queryRows } from '../../../db/db.ts'
import { int8, jsonb, nullable, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import type { Change } from '../../../lib/changes.ts'
import { remaining, type TemplateDefaults } from '../templates/defaults/template-defaults.ts'
import { type Copied, type CopiedField, newParts } from './copied-rows.ts'

export interface CopiedTemplate {
  id: number
  name: string
  entryStateId: number
  /** In order. */
  fields: number[]
}

/** Call it when states and fields are copied. The defaults follow with `copyDefaults`. */
export async function copyTemplates(db: Db, scope: ProjectScope, from: number): Promise<Copied<CopiedTemplate>> {
  const { organizationId, projectId } = scope
  const made = await queryRows(db, { id: int8, name: text, entryStateId: int8 })`
    insert into template (organization_id, project_id, name, entry_state_id, position)
    select t.organization_id, ${projectId}::bigint, t.name, state_copy.id, row_number() over (order by t.position, t.id) - 1 from template t
    join state s on s.organization_id = t.organization_id and s.id = t.entry_state_id
    join state state_copy on state_copy.organization_id = t.organization_id and state_copy.project_id = ${projectId} and state_copy.name = s.name
    where t.organization_id = ${organizationId} and t.project_id = ${from} and t.archived_at is null
    returning id, name, entry_state_id as "entryStateId"`
  // Archived templates and fields have no copy.
  const links = await queryRows(db, { templateId: int8, fieldId: int8 })`
    with copied as (
      insert into template_field (organization_id, project_id, template_id, field_id, position)
      select tf.organization_id, ${projectId}::bigint, template_copy.id, field_copy.id,
        row_number() over (partition by tf.template_id order by tf.position, tf.field_id) - 1
      from template_field tf
      join template t on t.organization_id = tf.organization_id and t.id = tf.template_id
      join field f on f.organization_id = tf.organization_id and f.id = tf.field_id
      join template template_copy on template_copy.organization_id = tf.organization_id and template_copy.project_id = ${projectId}
        and template_copy.name = t.name
      join field field_copy on field_copy.organization_id = tf.organization_id and field_copy.project_id = ${projectId} and field_copy.key = f.key
      where tf.organization_id = ${organizationId} and tf.project_id = ${from}
      returning template_id, field_id, position
    )
    select template_id as "templateId", field_id as "fieldId" from copied order by template_id, position`
  const fieldsOf = Map.groupBy(links, ({ templateId }) => templateId)
  const rows = made.map(template => ({ ...template, fields: (fieldsOf.get(template.id) ?? []).map(({ fieldId }) => fieldId) }))
  const changes = rows.flatMap(({ id, name, entryStateId, fields }) =>
    newParts(scope, 'template', id, { Name: name, EntryState: String(entryStateId), Fields: JSON.stringify(fields) }),
  )
  return { rows, changes }
}

/**
 * Gives the copied templates their defaults, with the copies of the labels and templates that these name. Values that name a person are left
 * out: the person may be no member of the project.
 */
export async function copyDefaults(
  db: Db,
  scope: ProjectScope,
  from: number,
  fields: readonly CopiedField[],
  templates: readonly CopiedTemplate[],
): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const sources = await queryRows(db, { id: int8, name: text, defaults: nullable(jsonb<TemplateDefaults>()) })`
    select id, name, defaults from template where organization_id = ${organizationId} and project_id = ${from} and archived_at is null`
  const labels = await queryRows(db, { id: int8, copyId: int8 })`
    select l.id, label_copy.id as "copyId" from label l
    join label label_copy on label_copy.organization_id = ${organizationId} and label_copy.project_id = ${projectId}
      and lower(label_copy.name) = lower(l.name)
    where l.organization_id = ${organizationId} and l.project_id = ${from}
    union all
    select id, id from label where organization_id = ${organizationId} and project_id is null`
  const templateOfName = new Map(templates.map(template => [template.name, template]))
  const labelCopies = new Map(labels.map(({ id, copyId }) => [id, copyId]))
  const templateCopies = new Map(sources.map(({ id, name }) => [id, templateOfName.get(name)]))
  const fieldOf = new Map(fields.map(field => [field.id, { ...field, options: JSON.parse(field.options) }]))
  const given = sources.flatMap(({ id, defaults }) => {
    const template = templateCopies.get(id)
    if (!defaults || !template) return []
    const { Labels = [], Children = [] } = defaults
    const copied = {
      ...defaults,
      Labels: Labels.flatMap(label => labelCopies.get(label) ?? []),
      Children: Children.flatMap(child => {
        const copy = templateCopies.get(child.idTemplate)
        return copy ? [{ ...child, idTemplate: copy.id }] : []
      }),
    }
    const left = remaining(copied, {
      fields: template.fields.flatMap(id => fieldOf.get(id) ?? []),
      labels: new Set(labelCopies.values()),
      templates: new Set(templates.map(each => each.id)),
      members: new Set(),
    })
    return left ? [{ id: template.id, defaults: JSON.stringify(left) }] : []
  })
  if (given.length === 0) return []
  const rows = await queryRows(db, { id: int8, defaults: text })`
    update template set defaults = given.defaults::jsonb
    from unnest(${given.map(({ id }) => id)}::bigint[], ${given.map(({ defaults }) => defaults)}::text[]) as given (id, defaults)
    where template.organization_id = ${organizationId} and template.project_id = ${projectId} and template.id = given.id
    returning template.id, template.defaults::text as defaults`
  return rows.flatMap(({ id, defaults }) => newParts(scope, 'template', id, { Defaults: defaults }))
}
