import type { Response } from '@tessera/contract/call'
import * as contract from '@tessera/contract/comments'
import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { run, statement } from '../../../db/db.ts'
import { bool, float8, int4, int8, json, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { holds } from '../../../lib/authorize.ts'
import { personName } from '../queries.ts'

type Reactions = Response<typeof contract.getTicketComments>[number]['Reactions']
const commentRow = {
  idComment: int8,
  DateCreated: float8,
  Author: text,
  Comment: text,
  ChangeCount: int4,
  own: bool,
  Reactions: json<Reactions>(),
}
const comments = statement(
  commentRow,
  `
  select c.id as "idComment", floor(extract(epoch from c.created_at))::float8 as "DateCreated",
    coalesce(nullif(u.full_name, ''), u.login, 'Deleted user') as "Author", c.text as "Comment", c.versions as "ChangeCount",
    coalesce(c.author_id = $3, false) as own,
    coalesce((select json_agg(json_build_object('Reaction', r.reaction, 'Users', r.users, 'Mine', r.mine) order by r.first, r.reaction) from (
      select cr.reaction, min(cr.created_at) as first, bool_or(cr.user_id = $3)::int as mine,
        json_agg(${personName.replaceAll('u.', 'p.')} order by cr.created_at, p.id) as users
      from comment_reaction cr join user_account p on p.id = cr.user_id
      where cr.organization_id = $1 and cr.comment_id = c.id group by cr.reaction) r), '[]') as "Reactions"
  from comment c left join user_account u on u.id = c.author_id
  where c.organization_id = $1 and c.ticket_id = $2 and ($4::bigint is null or c.id < $4)
  order by c.id desc limit ${limits.pageSize}`,
)

export const getTicketComments = implement(contract.getTicketComments, async ({ db, scope, input }) => {
  const mayEdit = holds(scope, permission.comment) && !scope.archived && !scope.trashed
  const rows = await run(db, comments, [scope.organizationId, scope.ticketId, scope.userId, input.Before ?? null])
  return rows.map(({ own, ...comment }) =>
    input.Editable === 1 ? { ...comment, Editable: own && mayEdit ? (1 as const) : (0 as const) } : comment,
  )
})
