import * as contract from '@tessera/contract/tickets'
import { run, statement } from '../../../db/db.ts'
import { int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { personName } from '../queries.ts'
import { readableChanges } from './queries.ts'

// A page of long texts ends early, because its size is bounded whatever the limit.
const pageBytes = 2_000_000
const changeRow = {
  id: int8,
  idChangeSet: int8,
  DateChanged: int8,
  Author: text,
  field: text,
  before: nullable(text),
  after: nullable(text),
  available: int8,
}
const page = statement(
  changeRow,
  `
  select id, "idChangeSet", "DateChanged", "Author", field, before, after, available from (
    select c.*, count(*) over () as available, row_number() over newest as place,
      sum(octet_length(coalesce(c.before, '')) + octet_length(coalesce(c.after, ''))) over newest as bytes
    from (
      select c.id, c.change_set_id as "idChangeSet", floor(extract(epoch from c.changed_at))::bigint as "DateChanged",
        coalesce(${personName}, 'Deleted user') as "Author", c.field, c.before, c.after
      from change c left join user_account u on u.id = c.user_id
      where c.organization_id = $1 and c.ticket_id = $2 and c.id < $3
      order by c.id desc limit $4
    ) c
    window newest as (order by c.id desc)
  ) c
  where place = 1 or bytes <= ${pageBytes}
  order by id desc`,
)

const pageSize = 50

export const getTicketHistory = implement(contract.getTicketHistory, async ({ db, scope, input }) => {
  const limit = input.Limit ?? pageSize
  const found = await run(db, page, [scope.organizationId, scope.ticketId, input.Cursor ?? Number.MAX_SAFE_INTEGER, limit + 1])
  const rows = found.slice(0, limit)
  const readable = await readableChanges(db, scope, rows, scope)
  return {
    Changes: rows.map(({ id, idChangeSet, DateChanged, Author, field }, index) => ({
      id,
      idChangeSet,
      DateChanged,
      Author,
      Field: field,
      ...(readable[index] as (typeof readable)[number]),
    })),
    NextCursor: (found[0]?.available ?? 0) > rows.length ? (rows.at(-1)?.id ?? null) : null,
  }
})
