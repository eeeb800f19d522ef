import { limits } from '@tessera/contract/limits'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { shortenBytes } from '../export/text.ts'
import type { TicketRow } from '../export/ticket-row.ts'
import type { ImportContext } from './context.ts'

/** A text in Jira's markup and its Markdown. */
interface Converted {
  ticket_id: number
  original: string
  text: string
}
export interface ConvertedValue extends Converted {
  field_id: number
}

/** The comments of a row that were changed by the conversion. */
export function convertedComments(ticketId: number, comments: TicketRow['comments']): Converted[] {
  return comments.flatMap(({ original, text }) =>
    original === text
      ? []
      : [{ ticket_id: ticketId, original: shortenBytes(original, limits.comment), text: shortenBytes(text, limits.comment) }],
  )
}

/**
 * Earlier versions of the import left texts in Jira's markup. Unedited ones become Markdown, and the original is kept; edited ones stay. Returns the
 * number of converted texts.
 */
export async function convertLeftTexts(
  { db, organizationId }: Pick<ImportContext, 'db' | 'organizationId'>,
  values: readonly ConvertedValue[],
  comments: readonly Converted[],
) {
  const ofFields =
    values.length === 0
      ? []
      : await queryRows(db, { ticket_id: int8 })`
    with wanted as materialized (
      select r.ticket_id, r.field_id, r.original, r.text
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r (ticket_id bigint, field_id bigint, original text, text text)
      join ticket_value v on v.organization_id = ${organizationId} and v.ticket_id = r.ticket_id and v.field_id = r.field_id and v.value = r.original
      where not exists (select 1 from original_text o
        where o.organization_id = ${organizationId} and o.ticket_id = r.ticket_id and o.comment_id = 0 and o.field_id = r.field_id)
    ), saved as (
      update ticket t set version = t.version + 1
      where t.organization_id = ${organizationId} and t.id in (select ticket_id from wanted) returning t.id, t.version
    ), written as (
      update ticket_value v set value = w.text, version = saved.version from wanted w join saved on saved.id = w.ticket_id
      where v.organization_id = ${organizationId} and v.ticket_id = w.ticket_id and v.field_id = w.field_id
      returning w.ticket_id, w.field_id, w.original
    )
    insert into original_text (organization_id, ticket_id, comment_id, field_id, text)
    select ${organizationId}::bigint, ticket_id, 0, field_id, original from written returning ticket_id`
  const ofComments =
    comments.length === 0
      ? []
      : await queryRows(db, { ticket_id: int8 })`
    with written as (
      update comment c set text = r.text
      from (select distinct on (ticket_id, original) ticket_id, original, text
        from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as r (ticket_id bigint, original text, text text)) r
      where c.organization_id = ${organizationId} and c.ticket_id = r.ticket_id and c.text = r.original and c.versions = 1 and c.deleted_at is null
        and not exists (select 1 from original_text o
          where o.organization_id = ${organizationId} and o.ticket_id = c.ticket_id and o.comment_id = c.id and o.field_id = 0)
      returning c.ticket_id, c.id, r.original
    )
    insert into original_text (organization_id, ticket_id, comment_id, field_id, text)
    select ${organizationId}::bigint, ticket_id, id, 0, original from written returning ticket_id`
  return ofFields.length + ofComments.length
}
