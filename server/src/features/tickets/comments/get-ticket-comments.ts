import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/comments'
import { run, statement } from '../../../db/db.ts'
import { bool, float8, int4, int8, json, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { holds } from '../../../lib/authorize.ts'
import { personName, personNameOf } from '../assignees/person-name.ts'

type Reactions = Response<typeof contract.getTicketComments>[number]['Reactions']
const commentRow = {
  idComment: int8,
  DateCreated: float8,
  Author: text,
  Comment: text,
  ChangeCount: int4,
  own: bool,
  DeletedBy: nullable(text),
  Reactions: json<Reactions>(),
}
const comments = statement(
  commentRow,
  `
  select c.id as "idComment", floor(extract(epoch from c.created_at))::float8 as "DateCreated",
    coalesce(${personName}, 'Deleted user') as "Author", case when c.deleted_at is null then c.text else '' end as "Comment",
    case when c.deleted_at is null then c.versions else 1 end as "ChangeCount",
    coalesce(c.author_id = $3, false) as own,
    case when c.deleted_at is not null then coalesce((select ${personNameOf('d')} from user_account d where d.id = c.deleted_by), 'Deleted user') end as "DeletedBy",
    coalesce((select json_agg(json_build_object('Reaction', r.reaction, 'Users', r.users, 'Mine', r.mine) order by r.first, r.reaction) from (
      select cr.reaction, min(cr.created_at) as first, bool_or(cr.user_id = $3)::int as mine,
        json_agg(${personNameOf('p')} order by cr.created_at, p.id) as users
      from comment_reaction cr join user_account p on p.id = cr.user_id
      where cr.organization_id = $1 and cr.comment_id = c.id and c.deleted_at is null group by cr.reaction) r), '[]') as "Reactions"
  from (
    select newest.*, sum(octet_length(text)) over (order by id desc) as bytes from (
      select * from comment where organization_id = $1 and ticket_id = $2 and ($4::bigint is null or id < $4) order by id desc limit $5) newest
  ) c left join user_account u on u.id = c.author_id
  where c.bytes <= ${limits.commentsAtOnce}
  order by c.id desc`,
)

export const getTicketComments = implement(contract.getTicketComments, async ({ db, scope, input }) => {
  const mayEdit = holds(scope, permission.comment) && !scope.archived && !scope.trashed
  const { Before = null, Limit = limits.list } = input
  const rows = await run(db, comments, [scope.organizationId, scope.ticketId, scope.userId, Before, Limit])
  return rows.map(({ own, DeletedBy, ...comment }) => ({
    ...comment,
    ...(DeletedBy !== null && { DeletedBy }),
    ...(input.Editable === 1 && { Editable: own && mayEdit && DeletedBy === null ? (1 as const) : (0 as const) }),
  }))
})
