import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { createNewTicket } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../../db/db.ts'
import { int8, json, nullable } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges, type TicketPart, ticketChange } from '../../../lib/changes.ts'
import { Failure, invalid, notFoundAt } from '../../../lib/failure.ts'
import { type Known, remaining, type TemplateDefaults } from '../../project-config/templates/defaults/template-defaults.ts'
import { countTickets } from '../counting/count-tickets.ts'
import { idOf, labelReference } from '../history/stored-values.ts'
import { problemOfValue, storedValue, valuesTooLarge } from '../values/field-values.ts'
import { mostLevels, type PlannedTicket, planFrom, type UsableTemplate } from './planned-tickets.ts'

// The states are locked so that their phases cannot change before the tickets are counted.
const templates = statement(
  { id: int8, stateId: int8, defaults: nullable(json<TemplateDefaults>()), fields: json<Known['fields']>() },
  `
  select tp.id, s.id as "stateId", tp.defaults::json as defaults,
    coalesce((select json_agg(json_build_object('id', f.id, 'key', f.key, 'typeId', f.type_id, 'options', f.options))
      from template_field tf join field f on f.organization_id = $1 and f.id = tf.field_id and f.archived_at is null
      where tf.organization_id = $1 and tf.template_id = tp.id), '[]') as fields
  from template tp join state s on s.organization_id = $1 and s.id = tp.entry_state_id
  where tp.organization_id = $1 and tp.project_id = $2 and tp.id = any($3::bigint[]) and tp.archived_at is null
  order by s.id for key share of s`,
)
// Until the tickets are made, these labels stay, and the fields keep the values that they take.
const holdFields = statement(
  { id: int8 },
  `
  select f.id from field f where f.organization_id = $1 and f.id in (
    select field_id from template_field where organization_id = $1 and template_id = any($2::bigint[]))
  order by f.id for key share`,
)
const holdLabels = statement(
  { id: int8 },
  'select id from label where organization_id = $1 and id = any($2::bigint[]) order by id for key share',
)
const labelsAndMembers = statement(
  { labels: json<[id: number, name: string][]>(), members: json<number[]>() },
  `
  select coalesce((select json_agg(json_build_array(id, name)) from label
      where organization_id = $1 and (project_id = $2 or project_id is null) and id = any($3::bigint[])), '[]') as labels,
    coalesce((select json_agg(user_id) from project_member
      where organization_id = $1 and project_id = $2 and user_id = any($4::bigint[])), '[]') as members`,
)

interface Planned extends PlannedTicket {
  labels: { id: number; name: string }[]
}

/**
 * The tickets to create for a template with defaults, or with values of its own; undefined when there is no such template. Without a title it gets the
 * template's; 400 if that has none, and for a value that does not fit its field; 422 for values that are too large together.
 */
export async function planTickets(
  db: Db,
  scope: ProjectScope,
  { idTemplate, Title: title, data: given = {} }: Pick<Request<typeof createNewTicket>, 'idTemplate' | 'Title' | 'data'>,
): Promise<Planned[] | undefined> {
  const { organizationId, projectId } = scope
  const found = new Map<number, { id: number; stateId: number; defaults: TemplateDefaults | null; fields: Known['fields'] }>()
  let wanted = [idTemplate]
  for (let level = 0; level <= mostLevels && wanted.length > 0; level++) {
    await run(db, holdFields, [organizationId, wanted])
    const rows = await run(db, templates, [organizationId, projectId, wanted])
    for (const row of rows) found.set(row.id, row)
    const children = rows.flatMap(({ defaults }) => (defaults?.Children ?? []).map(child => child.idTemplate))
    wanted = [...new Set(children)].filter(id => !found.has(id))
  }
  const all = [...found.values()].flatMap(({ defaults }) => defaults ?? [])
  const people = [{ data: given }, ...all].flatMap(({ data }) => Object.values(data ?? {})).flatMap(value => idOf(value) ?? [])
  const labels = all.flatMap(({ Labels }) => Labels ?? [])
  if (labels.length > 0) await run(db, holdLabels, [organizationId, labels])
  const [named] = await run(db, labelsAndMembers, [organizationId, projectId, labels, people])
  const names = new Map(named?.labels)
  const known = { labels: new Set(names.keys()), templates: new Set(found.keys()), members: new Set(named?.members) }
  const usable = new Map<number, UsableTemplate & Pick<Known, 'fields'>>()
  for (const [id, template] of found) {
    const defaults = template.defaults ? remaining(template.defaults, { ...known, fields: template.fields }) : undefined
    usable.set(id, { ...template, defaults })
  }
  const first = usable.get(idTemplate)
  if (!first) return undefined
  const own = checkedValues(given, first.fields, known.members)
  const firstTitle = title ?? first.defaults?.Title
  if (firstTitle === undefined) throw invalid('Title', 'is missing, and the template has none')
  const planned = planFrom(usable, idTemplate, firstTitle, own)
  const bytes = planned[0]?.values.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0) ?? 0
  if (Object.keys(own).length > 0 && bytes > limits.ticketValues) throw new Failure('rule', valuesTooLarge)
  return planned.map(ticket => ({
    ...ticket,
    labels: ticket.labelIds.map(id => ({ id, name: names.get(id) ?? '' })),
  }))
}

/** The values as they are stored. 404 for a field that the template does not have, 400 for a value that does not fit. */
function checkedValues(given: Record<string, string>, fields: Known['fields'], members: ReadonlySet<number>) {
  const fieldOf = new Map(fields.map(field => [field.key, field]))
  return Object.fromEntries(
    Object.entries(given).map(([key, text]) => {
      const field = fieldOf.get(key)
      if (!field) throw notFoundAt([`data.${key}`])
      const value = storedValue(field.typeId, text)
      const problem = problemOfValue(field, value, id => members.has(id))
      if (problem) throw invalid(`data.${key}`, problem)
      return [key, value]
    }),
  )
}

/** Creates the planned tickets as one change set; returns the first one's id. */
export async function makeTickets(db: Db, scope: ProjectScope, planned: readonly Planned[], parentId: number | null) {
  const { organizationId, projectId, userId } = scope
  const reserved = await queryRows(db, { id: int8 })`
    select nextval(pg_get_serial_sequence('ticket', 'id'))::bigint as id from generate_series(1, ${planned.length}::int)`
  // Lists show the newest first: the last child has the smallest id, so that children come in the template's order.
  const [first = 0, ...others] = reserved.map(({ id }) => id).sort((a, b) => a - b)
  const ids = [first, ...others.reverse()]
  const tickets = planned.map((ticket, place) => ({
    ...ticket,
    id: ids[place] as number,
    parentId: ticket.parent === null ? parentId : (ids[ticket.parent] as number),
  }))
  for (const part of parts(tickets)) {
    await sql`
      insert into ticket (organization_id, project_id, created_by, id, template_id, state_id, parent_id, title)
      select ${organizationId}::bigint, ${projectId}::bigint, ${userId}::bigint, t.* from unnest(
        ${part.map(({ id }) => id)}::bigint[], ${part.map(({ templateId }) => templateId)}::bigint[],
        ${part.map(({ stateId }) => stateId)}::bigint[], ${part.map(ticket => ticket.parentId)}::bigint[],
        ${part.map(({ title }) => title)}::text[]) as t`.execute(db)
  }
  const values = tickets.flatMap(({ id, values }) => values.map(value => ({ ...value, ticketId: id })))
  for (const part of parts(values)) {
    await sql`
      insert into ticket_value (organization_id, ticket_id, field_id, value)
      select ${organizationId}::bigint, v.* from unnest(${part.map(({ ticketId }) => ticketId)}::bigint[],
        ${part.map(({ fieldId }) => fieldId)}::bigint[], ${part.map(({ value }) => value)}::text[]) as v`.execute(db)
  }
  const labels = tickets.flatMap(({ id, labels }) => labels.map(label => ({ ...label, ticketId: id })))
  if (labels.length > 0) {
    await sql`
      insert into ticket_label (organization_id, ticket_id, label_id)
      select ${organizationId}::bigint, l.* from unnest(
        ${labels.map(({ ticketId }) => ticketId)}::bigint[], ${labels.map(({ id }) => id)}::bigint[]) as l`.execute(db)
  }
  // The notice of the first ticket is for all of them: whom their texts mention gets one mail.
  const change = (ticketId: number, field: TicketPart, after: string): Change => ({
    ...ticketChange({ projectId, ticketId }, field, null, after),
    ...(ticketId !== first && { quiet: true }),
  })
  await recordChanges(db, scope, [
    ...tickets.map(({ id, title }) => change(id, 'Ticket', title)),
    ...values.map(({ ticketId, key, value }) => change(ticketId, `data.${key}`, value)),
    ...labels.map(({ ticketId, id, name }) => change(ticketId, 'Label', labelReference(id, name))),
  ])
  await countTickets(
    db,
    scope,
    tickets.map(({ templateId, stateId, parentId }) => ({ before: null, after: { templateId, stateId, parentId } })),
  )
  return first
}

/** For one statement each. The search's triggers take up to 2 ms of a Citus worker's processor for a row, and a statement has 6 s. */
function parts<T>(rows: readonly T[]) {
  return Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, part) => rows.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce))
}
const rowsAtOnce = 200
