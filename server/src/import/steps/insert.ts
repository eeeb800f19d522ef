import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import { ticketPart } from '../../lib/changes.ts'
import { type ImportContext, recordOnTickets } from './context.ts'

/** The database rows of some tickets. */
export interface Batch {
  tickets: { id: number; template_id: number; state_id: number; title: string; at: Date; by: number | null; key: string }[]
  values: object[]
  assignments: { ticket_id: number; user_id: number }[]
  comments: { ticket_id: number; author_id: number | null; at: Date; text: string; original: string }[]
  /** The originals of converted texts. */
  originals: { ticket_id: number; comment_id: number; field_id: number; text: string }[]
}

export function emptyBatch(): Batch {
  return { tickets: [], values: [], assignments: [], comments: [], originals: [] }
}

/** Writes the batch. Existing values stay as they are; those that tickets get later are in their history. */
export async function insertBatch(context: ImportContext, batch: Batch, assigneeRole: number) {
  const { db, organizationId, projectId, changeSetId } = context
  const { tickets, values, assignments, originals } = batch
  if (tickets.length > 0) {
    await sql`
      insert into ticket (organization_id, id, project_id, template_id, state_id, title, created_at, created_by, external_id)
      select ${organizationId}::bigint, r.id, ${projectId}::bigint, r.template_id, r.state_id, r.title, r.at, r.by, r.key
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as r (id bigint, template_id bigint, state_id bigint, title text, at timestamptz, by bigint, key text)`.execute(
      db,
    )
    // History begins with the creation of the issue, by its reporter.
    await sql`
      insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after, user_id, changed_at)
      select ${organizationId}::bigint, ${changeSetId}::bigint, 'ticket', r.id, ${projectId}::bigint, r.id, 'Ticket', r.title, r.by, r.at
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as r (id bigint, title text, at timestamptz, by bigint)`.execute(db)
  }
  if (values.length > 0) {
    const later = await queryRows(db, { ticketId: int8, field: ticketPart, after: text })`
      with written as (
        insert into ticket_value (organization_id, ticket_id, field_id, value)
        select ${organizationId}::bigint, r.ticket_id, r.field_id, r.value
        from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r (ticket_id bigint, field_id bigint, value text)
        on conflict do nothing returning ticket_id, field_id, value
      )
      select w.ticket_id as "ticketId", 'data.' || f.key as field, w.value as after
      from written w join field f on f.organization_id = ${organizationId} and f.id = w.field_id
      where w.ticket_id <> all(${tickets.map(({ id }) => id)}::bigint[]) and w.value <> ''`
    await recordOnTickets(
      context,
      later.map(change => ({ ...change, projectId })),
    )
  }
  if (assignments.length > 0) {
    await sql`
      insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
      select ${organizationId}::bigint, ${projectId}::bigint, r.ticket_id, r.user_id, ${assigneeRole}::bigint
      from jsonb_to_recordset(${JSON.stringify(assignments)}::jsonb) as r (ticket_id bigint, user_id bigint)`.execute(db)
  }
  const ofComments = await insertComments({ db, organizationId }, batch.comments)
  const kept = [...originals, ...ofComments]
  if (kept.length === 0) return
  await sql`
    insert into original_text (organization_id, ticket_id, comment_id, field_id, text)
    select ${organizationId}::bigint, r.ticket_id, r.comment_id, r.field_id, r.text
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r (ticket_id bigint, comment_id bigint, field_id bigint, text text)
    on conflict do nothing`.execute(db)
}

/** Inserts in the order of the dates, because comments are listed by id. Returns the originals of the converted ones. */
async function insertComments({ db, organizationId }: Pick<ImportContext, 'db' | 'organizationId'>, comments: Batch['comments']) {
  if (comments.length === 0) return []
  const rows = await queryRows(db, { id: int8 })`
    select nextval(pg_get_serial_sequence('comment', 'id'))::bigint as id from generate_series(1, ${comments.length}::int)`
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  const placed = comments
    .toSorted((a, b) => a.ticket_id - b.ticket_id || a.at.getTime() - b.at.getTime())
    .map((comment, place) => ({ ...comment, id: ids[place] as number }))
  await sql`
    insert into comment (organization_id, id, ticket_id, author_id, created_at, written_at, text)
    select ${organizationId}::bigint, r.id, r.ticket_id, r.author_id, r.at, r.at, r.text
    from jsonb_to_recordset(${JSON.stringify(placed.map(({ original: _, ...row }) => row))}::jsonb)
      as r (id bigint, ticket_id bigint, author_id bigint, at timestamptz, text text)`.execute(db)
  return placed.flatMap(({ id, ticket_id, text, original }) =>
    original === text ? [] : [{ ticket_id, comment_id: id, field_id: 0, text: original }],
  )
}

/** Earlier imports let a ticket's history begin on the day of the import and without an author. */
export async function repairHistoryStarts({ db, organizationId }: ImportContext, present: readonly number[]) {
  await sql`
    update change c set user_id = t.created_by, changed_at = t.created_at
    from ticket t
    where t.organization_id = ${organizationId} and t.id = any(${present}::bigint[]) and t.created_by is not null
      and c.organization_id = ${organizationId} and c.ticket_id = t.id and c.field = 'Ticket' and c.before is null and c.user_id is null`.execute(
    db,
  )
}
