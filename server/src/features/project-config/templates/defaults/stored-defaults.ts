import { type Db, queryRows } from '../../../../db/db.ts'
import { int8, json, nullable, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import type { Change } from '../../../../lib/changes.ts'
import { planTickets } from '../../../tickets/defaults/make-tickets.ts'
import { requireFewTexts } from '../../../tickets/defaults/planned-tickets.ts'
import { idOf } from '../../../tickets/history/stored-values.ts'
import { configurationChange } from '../../configuration-change.ts'
import { type Deletion, partOfEach } from '../../deletions.ts'
import { filled, type Known, remaining, requireKnown, type TemplateDefaults } from './template-defaults.ts'

/** What exists of everything that the defaults name, for a template with these fields. */
async function known(db: Db, scope: ProjectScope, fieldIds: readonly number[], defaults: TemplateDefaults) {
  const { organizationId, projectId } = scope
  const { data = {}, Labels = [], Children = [] } = defaults
  const people = Object.values(data).flatMap(value => idOf(value) ?? [])
  const rows = await queryRows(db, {
    fields: json<Known['fields']>(),
    labels: json<number[]>(),
    templates: json<[id: number, isArchived: boolean][]>(),
    members: json<number[]>(),
  })`
    select
      coalesce((select json_agg(json_build_object('id', id, 'key', key, 'typeId', type_id, 'options', options)) from field
        where organization_id = ${organizationId} and project_id = ${projectId} and id = any(${fieldIds}) and archived_at is null
          and key = any(${Object.keys(data)})), '[]') as fields,
      coalesce((select json_agg(id) from label
        where organization_id = ${organizationId} and (project_id = ${projectId} or project_id is null) and id = any(${Labels})), '[]') as labels,
      coalesce((select json_agg(json_build_array(id, archived_at is not null)) from template
        where organization_id = ${organizationId} and project_id = ${projectId}
          and id = any(${Children.map(({ idTemplate }) => idTemplate)})), '[]') as templates,
      coalesce((select json_agg(user_id) from project_member
        where organization_id = ${organizationId} and project_id = ${projectId} and user_id = any(${people}::bigint[])), '[]') as members`
  const { fields = [], labels = [], templates = [], members = [] } = rows[0] ?? {}
  const ids = (wanted: boolean) => new Set(templates.flatMap(([id, isArchived]) => (isArchived === wanted ? [id] : [])))
  return { fields, labels: new Set(labels), templates: ids(false), archived: ids(true), members: new Set(members) }
}

/** The stored defaults without what was deleted since; undefined when nothing is left. */
export async function readDefaults(db: Db, scope: ProjectScope, fieldIds: readonly number[], stored: TemplateDefaults | null) {
  return stored ? remaining(stored, await known(db, scope, fieldIds, stored)) : undefined
}

/** The given defaults without what is empty, null when nothing is left. Throws 404 unless all that they name exists, for a template with these fields. */
export async function knownDefaults(db: Db, scope: ProjectScope, fieldIds: readonly number[], given: TemplateDefaults) {
  const defaults = filled(given)
  if (!defaults) return null
  requireKnown(defaults, await known(db, scope, fieldIds, defaults))
  // A MULTISELECT without entries is now stored as ''.
  return filled(defaults) ?? null
}

/** Stores the defaults after checking the size of a new ticket's texts; returns them as history has them, null for none. */
export async function storeDefaults(db: Db, scope: ProjectScope, templateId: number, defaults: TemplateDefaults | null) {
  const rows = await queryRows(db, { defaults: nullable(text) })`
    update template set defaults = ${defaults && JSON.stringify(defaults)}::jsonb
    where organization_id = ${scope.organizationId} and id = ${templateId} returning defaults::text as defaults`
  const planned = await planTickets(db, scope, { idTemplate: templateId, Title: defaults?.Title ?? '' })
  if (planned) requireFewTexts(planned)
  return rows[0]?.defaults ?? null
}

/** Removes defaults for a database key that are left from an earlier field with this key. Returns the changes. */
export async function dropDefaultsOf(db: Db, scope: ProjectScope, key: string): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const rows = await queryRows(db, { id: int8, before: text, after: nullable(text) })`
    with old as materialized (
      select id, defaults, defaults #- array['data', ${key}::text] as kept from template
      where organization_id = ${organizationId} and project_id = ${projectId} and defaults -> 'data' ->> ${key}::text is not null
    )
    update template t set defaults = nullif(case when old.kept -> 'data' = '{}' then old.kept - 'data' else old.kept end, '{}')
    from old where t.organization_id = ${organizationId} and t.id = old.id
    returning t.id, old.defaults::text as before, t.defaults::text as after`
  return rows.map(({ id, before, after }) => configurationChange(scope, 'template', id, 'Defaults', before, after))
}

/** The defaults of deleted templates as JSON, without those for database keys that other fields were given since. */
export async function restorableDefaults(db: Db, { organizationId, projectId }: ProjectScope, deletions: readonly Deletion[]) {
  const rows = await queryRows(db, { id: int8, key: text })`
    select t.id, f.key
    from unnest(${deletions.map(({ id }) => id)}::bigint[], ${partOfEach(deletions, 'Fields')}::text[], ${partOfEach(deletions, 'Defaults')}::text[])
      as t (id, fields, defaults)
    cross join jsonb_object_keys(nullif(t.defaults, '')::jsonb -> 'data') as given (key)
    join field f on f.organization_id = ${organizationId} and f.project_id = ${projectId} and f.key = given.key
    where not t.fields::jsonb @> to_jsonb(f.id) and exists (
      select 1 from change c
      where c.organization_id = ${organizationId} and c.project_id = ${projectId} and c.subject = 'field' and c.field = 'Key'
        and c.before = f.key and c.after is null and c.subject_id <> f.id)`
  return deletions.map(({ id, parts: { Defaults } }) => {
    if (!Defaults) return null
    const stored: TemplateDefaults = JSON.parse(Defaults)
    const isOwn = ([key]: [string, string]) => !rows.some(row => row.id === id && row.key === key)
    const own = filled({ ...stored, data: Object.fromEntries(Object.entries(stored.data ?? {}).filter(isOwn)) })
    return own ? JSON.stringify(own) : null
  })
}
