import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int4, int8, text } from '../../db/shape.ts'
import { labelReference } from '../../features/tickets/history/stored-values.ts'
import { type ImportContext, record, recordOnTickets } from './context.ts'

/** Distinguishable colors; the browser computes a readable text color for each. */
const colors = [
  '#1f6feb',
  '#0e8a16',
  '#b60205',
  '#d4a017',
  '#8250df',
  '#bf3989',
  '#0a7ea4',
  '#9a6700',
  '#57606a',
  '#2da44e',
  '#cf222e',
  '#5319e7',
]

/**
 * The ids of the labels by their lower-case names: those of the project or its organization, and new ones of the project, the most used first
 * as far as there is room. Labels beyond the limit are not in the result.
 */
export async function importLabels(context: ImportContext, counted: ReadonlyMap<string, { name: string; count: number }>) {
  const { db, organizationId, projectId, problems } = context
  if (counted.size === 0) return new Map<string, number>()
  // Without the organization's lock on labels, which would stop everybody until the import ends: nobody else adds labels to the project, whose row is locked.
  const names = [...counted.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'en')).map(({ name }) => name)
  const find = () =>
    queryRows(db, { given: text, id: int8 })`
        select distinct on (given) given, l.id from unnest(${names}::text[]) given
        join label l on l.organization_id = ${organizationId} and (l.project_id = ${projectId} or l.project_id is null) and lower(l.name) = lower(given)
        order by given, l.project_id nulls last`
  const known = new Set((await find()).map(({ given }) => given))
  const present = await queryRows(db, { count: int4 })`
    select count(*)::int as count from label where organization_id = ${organizationId} and project_id = ${projectId}`
  const room = Math.max(0, limits.labels - (present[0]?.count ?? 0))
  const fresh = names.filter(name => !known.has(name))
  const made = fresh.slice(0, room)
  if (fresh.length > room) {
    const text = `has ${fresh.length} new labels, and there is room for ${room}: the most used are imported, the others go into the field 'Labels'`
    problems.push({ rows: [], column: 'Labels', text })
  }
  const created = await queryRows(db, { id: int8, name: text })`
    insert into label (organization_id, project_id, name, color)
    select ${organizationId}::bigint, ${projectId}::bigint, l.name, l.color
    from unnest(${made}::text[], ${made.map((_, place) => colors[place % colors.length])}::text[]) as l (name, color)
    on conflict do nothing returning id, name`
  await record(
    context,
    created.map(({ id, name }) => ({ subject: 'label', id, field: 'Name', after: name })),
  )
  const found = await find()
  // In the order in which a merge locks them. Otherwise each could hold a label that the other waits for.
  await sql`
    select 1 from label where organization_id = ${organizationId} and id = any(${found.map(({ id }) => id)}) order by id for key share`.execute(
    db,
  )
  return new Map(found.map(({ given, id }) => [given.toLowerCase(), id]))
}

export interface TicketLabels {
  ticketId: number
  labelIds: number[]
}

/** Labels the tickets, up to the limit of each, and not where somebody removed the label before. Returns the number of labels added. */
export async function labelTickets(context: ImportContext, tickets: readonly TicketLabels[], present: ReadonlySet<number>) {
  const { db, organizationId, projectId } = context
  const pairs = tickets.flatMap(({ ticketId, labelIds }) => labelIds.map(labelId => ({ ticketId, labelId })))
  if (pairs.length === 0) return 0
  const rows = await queryRows(db, { ticket_id: int8, label_id: int8, name: text })`
    with wanted as (
      select distinct ticket_id, label_id from unnest(${pairs.map(({ ticketId }) => ticketId)}::bigint[], ${pairs.map(({ labelId }) => labelId)}::bigint[]) as w (ticket_id, label_id)
    ), missing as (
      select w.ticket_id, w.label_id, row_number() over (partition by w.ticket_id order by w.label_id) as place from wanted w
      where not exists (select 1 from ticket_label tl
          where tl.organization_id = ${organizationId} and tl.ticket_id = w.ticket_id and tl.label_id = w.label_id)
        and not exists (select 1 from change c
          where c.organization_id = ${organizationId} and c.ticket_id = w.ticket_id and c.field = 'Label' and c.before like '{"idLabel":' || w.label_id || ',%')
    ), written as (
      insert into ticket_label (organization_id, ticket_id, label_id)
      select ${organizationId}::bigint, m.ticket_id, m.label_id from missing m
      where m.place + (select count(*) from ticket_label tl where tl.organization_id = ${organizationId} and tl.ticket_id = m.ticket_id) <= ${limits.labelsPerTicket}
      returning ticket_id, label_id
    )
    select w.ticket_id, w.label_id, l.name from written w join label l on l.organization_id = ${organizationId} and l.id = w.label_id`
  const later = rows.filter(({ ticket_id }) => present.has(ticket_id))
  await recordOnTickets(
    context,
    later.map(({ ticket_id, label_id, name }) => ({
      ticketId: ticket_id,
      projectId,
      field: 'Label',
      after: labelReference(label_id, name),
    })),
  )
  return rows.length
}
