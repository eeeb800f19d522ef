import { type Db, queryRows } from '../../../db/db.ts'
import { int8, jsonb, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import type { Change } from '../../../lib/changes.ts'
import { newParts } from '../configuration-change.ts'
import { remaining, type TemplateDefaults } from '../templates/defaults/template-defaults.ts'
import { type Copied, type CopiedField, type Copies, copiesOf, pairsOf } from './copied-rows.ts'

interface CopiedTemplate {
  id: number
  name: string
  entryStateId: number
  /** In order. */
  fields: number[]
}

/** Their defaults follow with `copyDefaults`. */
export async function copyTemplates(
  db: Db,
  scope: ProjectScope,
  from: number,
  states: Copies,
  fields: Copies,
): Promise<Copied<CopiedTemplate> & { copies: Copies }> {
  const { organizationId, projectId } = scope
  const made = await queryRows(db, { id: int8, name: text, entryStateId: int8 })`
    insert into template (organization_id, project_id, name, entry_state_id, position)
    select t.organization_id, ${projectId}::bigint, t.name, state.copy_id, row_number() over (order by t.position, t.id) - 1 from template t
    join ${pairsOf(states)} as state (id, copy_id) on state.id = t.entry_state_id
    where t.organization_id = ${organizationId} and t.project_id = ${from} and t.archived_at is null
    returning id, name, entry_state_id as "entryStateId"`
  const copies = await copiesOf(db, scope, from, 'template', made)
  // Archived templates and fields have no copy.
  const links = await queryRows(db, { templateId: int8, fieldId: int8 })`
    with copied as (
      insert into template_field (organization_id, project_id, template_id, field_id, position)
      select tf.organization_id, ${projectId}::bigint, template.copy_id, field.copy_id,
        row_number() over (partition by tf.template_id order by tf.position, tf.field_id) - 1
      from template_field tf
      join ${pairsOf(copies)} as template (id, copy_id) on template.id = tf.template_id
      join ${pairsOf(fields)} as field (id, copy_id) on field.id = tf.field_id
      where tf.organization_id = ${organizationId} and tf.project_id = ${from}
      returning template_id, field_id, position
    )
    select template_id as "templateId", field_id as "fieldId" from copied order by template_id, position`
  const fieldsOf = Map.groupBy(links, ({ templateId }) => templateId)
  const rows = made.map(template => ({ ...template, fields: (fieldsOf.get(template.id) ?? []).map(({ fieldId }) => fieldId) }))
  const changes = rows.flatMap(({ id, name, entryStateId, fields }) =>
    newParts(scope, 'template', id, { Name: name, EntryState: String(entryStateId), Fields: JSON.stringify(fields) }),
  )
  return { rows, changes, copies }
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
  templates: { rows: readonly CopiedTemplate[]; copies: Copies },
): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const sources = await queryRows(db, { id: int8, defaults: jsonb<TemplateDefaults>() })`
    select id, defaults from template where organization_id = ${organizationId} and project_id = ${from} and defaults is not null`
  const labels = await queryRows(db, { id: int8, copyId: int8 })`
    select l.id, label_copy.id as "copyId" from label l
    join label label_copy on label_copy.organization_id = ${organizationId} and label_copy.project_id = ${projectId}
      and lower(label_copy.name) = lower(l.name)
    where l.organization_id = ${organizationId} and l.project_id = ${from}
    union all
    select id, id from label where organization_id = ${organizationId} and project_id is null`
  const labelCopies = new Map(labels.map(({ id, copyId }) => [id, copyId]))
  const templateOf = new Map(templates.rows.map(template => [template.id, template]))
  const fieldOf = new Map(fields.map(field => [field.id, { ...field, options: JSON.parse(field.options) }]))
  const given = sources.flatMap(({ id, defaults }) => {
    const template = templateOf.get(templates.copies.get(id) ?? 0)
    if (!template) return []
    const { Labels = [], Children = [] } = defaults
    const copied = {
      ...defaults,
      Labels: Labels.flatMap(label => labelCopies.get(label) ?? []),
      Children: Children.flatMap(({ idTemplate, Title }) => {
        const copy = templates.copies.get(idTemplate)
        return copy === undefined ? [] : [{ idTemplate: copy, Title }]
      }),
    }
    const left = remaining(copied, {
      fields: template.fields.flatMap(id => fieldOf.get(id) ?? []),
      labels: new Set(labelCopies.values()),
      templates: new Set(templateOf.keys()),
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
