import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/moving'
import { run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { personName } from '../assignees/person-name.ts'

const trashRow = { id: int8, pcode: text, Type: text, Title: text, DateTrashed: int8, TrashedBy: text, Tickets: int8 }
const trash = statement(
  trashRow,
  `
  select t.id, p.short_code as pcode, tp.name as "Type", t.title as "Title",
    floor(extract(epoch from t.trashed_at))::bigint as "DateTrashed", coalesce(${personName}, 'Deleted user') as "TrashedBy",
    (select count(*) from ticket along where along.organization_id = $1 and along.trash_root_id = t.id and along.trashed_at is not null) as "Tickets"
  from ticket t
  join project p on p.organization_id = $1 and p.id = t.project_id
  join template tp on tp.organization_id = $1 and tp.id = t.template_id
  left join user_account u on u.id = t.trashed_by
  where t.organization_id = $1 and t.project_id = $2 and t.trashed_at is not null and t.trash_root_id = t.id
    -- Where the page before ended was taken out meanwhile, the first page comes again: twice is better than never.
    and (t.trashed_at, t.id) < (
      coalesce((select b.trashed_at from ticket b where b.organization_id = $1 and b.project_id = $2 and b.id = $3::bigint), 'infinity'), $3)
  order by t.trashed_at desc, t.id desc limit ${limits.pageSize}`,
)

export const getTicketTrash = implement(contract.getTicketTrash, ({ db, scope, input }) =>
  run(db, trash, [scope.organizationId, scope.projectId, input.Before ?? null]),
)
