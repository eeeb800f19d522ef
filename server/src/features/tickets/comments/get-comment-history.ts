import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/comments'
import { run, statement } from '../../../db/db.ts'
import { float8, int4, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { notFound } from '../../../lib/failure.ts'
import { personName } from '../assignees/person-name.ts'

const versions = statement(
  { Version: int4, DateChanged: float8, Author: text, Comment: text },
  `
  select v.version as "Version", floor(extract(epoch from v.written_at))::float8 as "DateChanged",
    coalesce(${personName}, 'Deleted user') as "Author", v.text as "Comment"
  from comment c
  cross join lateral (
    select c.versions as version, c.written_at, c.text
    union all
    (select old.version, old.written_at, old.text from comment_version old
      where old.organization_id = $1 and old.comment_id = c.id and ($4::bigint is null or old.version < $4)
      order by old.version desc limit ${limits.pageSize})
  ) v
  left join user_account u on u.id = c.author_id
  where c.organization_id = $1 and c.ticket_id = $2 and c.id = $3 and c.deleted_at is null and ($4::bigint is null or v.version < $4)
  order by v.version desc limit ${limits.pageSize}`,
)

export const getCommentHistory = implement(contract.getCommentHistory, async ({ db, scope, input }) => {
  const rows = await run(db, versions, [scope.organizationId, scope.ticketId, input.idComment, input.Before ?? null])
  // Nothing comes before the first version.
  if (rows.length === 0 && input.Before === undefined) throw notFound()
  return rows
})
