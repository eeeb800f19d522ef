import * as contract from '@tessera/contract/bulk'
import { limits } from '@tessera/contract/limits'
import { run, statement } from '../../../db/db.ts'
import { as, int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { personName } from '../queries.ts'

const list = statement(
  {
    idChangeSet: int8,
    What: as<'bulk' | 'import' | 'restore' | 'revert'>(text),
    By: text,
    At: int8,
    Tickets: int4,
    Reverted: as<0 | 1>(int4),
    OfTickets: as<0 | 1>(int4),
  },
  `
  select s.id as "idChangeSet", s.what as "What", coalesce(${personName}, '') as "By", floor(extract(epoch from s.made_at))::bigint as "At",
    s.tickets as "Tickets", (s.reverted_by is not null)::int as "Reverted",
    (s.what <> 'restore' or exists (select from change c
      where c.organization_id = $1 and c.change_set_id = s.id and c.subject = 'ticket' and c.field = 'Trash'))::int as "OfTickets"
  from change_set_summary s left join user_account u on u.id = s.user_id
  where s.organization_id = $1 and s.project_id = $2 and s.id < $3 order by s.id desc limit $4`,
)

export const getChangeSetList = implement(contract.getChangeSetList, ({ db, scope, input }) =>
  run(db, list, [scope.organizationId, scope.projectId, input.Before ?? Number.MAX_SAFE_INTEGER, input.Limit ?? limits.changeSets]),
)
