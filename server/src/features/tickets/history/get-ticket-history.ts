import type { Response } from '@tessera/contract/call'
import * as contract from '@tessera/contract/tickets/tickets'
import { run, statement } from '../../../db/db.ts'
import { int8, json, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { ticketPart } from '../../../lib/changes.ts'
import { personName } from '../assignees/person-name.ts'
import type { History } from '../bulk/plan.ts'
import { isOfTickets } from '../bulk/reverting/plan-revert.ts'
import { refusalToRevert } from '../bulk/reverting/revertible.ts'
import { readableChanges } from './readable-changes.ts'

// A page of long texts ends early, because its size is bounded whatever the limit.
const pageBytes = 2_000_000
/** How many rows of a listed change set are read to know which permissions its revert needs, as in `get-change-set-list`. */
const sample = 100
/** A change set that the project lists; `fields` has one of its changes for each field, without the values of the ticket's own fields. */
type Listed = Omit<NonNullable<Response<typeof contract.getTicketHistory>['Changes'][number]['Set']>, 'Refused'> & {
  fields: History[] | null
}

const changeRow = {
  id: int8,
  idChangeSet: int8,
  DateChanged: int8,
  Author: text,
  field: ticketPart,
  before: nullable(text),
  after: nullable(text),
  available: int8,
  set: nullable(json<Listed>()),
}
const page = statement(
  changeRow,
  `
  with page as (
  select id, "idChangeSet", "DateChanged", "Author", field, before, after, available from (
    select c.*, count(*) over () as available, row_number() over newest as place,
      sum(octet_length(coalesce(c.before, '')) + octet_length(coalesce(c.after, ''))) over newest as bytes
    from (
      select c.id, c.change_set_id as "idChangeSet", floor(extract(epoch from c.changed_at))::bigint as "DateChanged",
        coalesce(${personName}, case when c.user_id is null then 'Import' else 'Deleted user' end) as "Author", c.field, c.before, c.after
      from change c left join user_account u on u.id = c.user_id
      where c.organization_id = $1 and c.ticket_id = $2 and c.id < $3
      order by c.id desc limit $4
    ) c
    window newest as (order by c.id desc)
  ) c
  where place = 1 or bytes <= ${pageBytes}
  ), listed as (
    select s.id, json_build_object('What', s.what, 'At', floor(extract(epoch from s.made_at))::bigint, 'Tickets', s.tickets,
      'Reverted', (s.reverted_by is not null)::int, 'OfTickets', ${isOfTickets}::int, 'fields', (
        select json_agg(json_build_object('field', field, 'before', before, 'after', after)) from (
          select field, min(before) as before, min(after) as after from (
            select field, case when field not like 'data.%' then left(before, 2000) end as before, case when field not like 'data.%' then left(after, 2000) end as after
            from change c
            where c.organization_id = $1 and c.change_set_id = s.id and c.project_id = s.project_id and c.subject = 'ticket' and s.what <> 'import'
            limit ${sample}
          ) looked group by field
        ) kinds)) as set
    from change_set_summary s
    where s.organization_id = $1 and s.project_id = $5 and s.id in (select "idChangeSet" from page)
  )
  select page.*, listed.set from page left join listed on listed.id = page."idChangeSet" order by page.id desc`,
)

const pageSize = 50

export const getTicketHistory = implement(contract.getTicketHistory, async ({ db, scope, input }) => {
  const limit = input.Limit ?? pageSize
  const { organizationId, projectId, ticketId } = scope
  const from = input.Cursor ?? Number.MAX_SAFE_INTEGER
  const found = await run(db, page, [organizationId, ticketId, from, limit + 1, projectId])
  const rows = found.slice(0, limit)
  const readable = await readableChanges(
    db,
    scope,
    rows.map(row => ({ ...row, ticket: ticketId })),
    scope,
  )
  return {
    Changes: rows.map(({ id, idChangeSet, DateChanged, Author, field, set }, index) => ({
      id,
      idChangeSet,
      DateChanged,
      Author,
      Field: field,
      ...(readable[index] as (typeof readable)[number]),
      ...(set && { Set: setOf(scope, set) }),
    })),
    NextCursor: (found[0]?.available ?? 0) > rows.length ? (rows.at(-1)?.id ?? null) : null,
  }
})

function setOf(scope: ProjectScope, { fields, ...set }: Listed) {
  return {
    ...set,
    ...refusalToRevert(
      scope,
      set.What,
      (fields ?? []).map(change => [change]),
    ),
  }
}
