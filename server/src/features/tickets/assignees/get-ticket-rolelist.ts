import * as contract from '@tessera/contract/tickets/assignees'
import { run, statement } from '../../../db/db.ts'
import { text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { personName } from './person-name.ts'

const named = statement(
  { Name: text, Role: text },
  `
  select ${personName} as "Name", r.name as "Role"
  from unnest($3::bigint[], $4::bigint[]) with ordinality as pair (user_id, role_id, place)
  join project_member m on m.organization_id = $1 and m.project_id = $2 and m.user_id = pair.user_id
  join role r on r.organization_id = $1 and r.project_id = $2 and r.id = pair.role_id
  join user_account u on u.id = m.user_id
  order by pair.place`,
)

export const getTicketRolelist = implement(contract.getTicketRolelist, ({ db, scope, input }) =>
  run(db, named, [
    scope.organizationId,
    scope.projectId,
    input.Assignees.map(({ idUser }) => idUser),
    input.Assignees.map(({ idRole }) => idRole),
  ]),
)
