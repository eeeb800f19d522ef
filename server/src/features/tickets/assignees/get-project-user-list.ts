import * as contract from '@tessera/contract/assignees'
import { run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const members = statement(
  { id: int8, text },
  `
  select u.id, coalesce(nullif(u.full_name, ''), u.login) as text
  from project_member m join user_account u on u.id = m.user_id
  where m.organization_id = $1 and m.project_id = $2
  order by lower(coalesce(nullif(u.full_name, ''), u.login)), u.id`,
)

export const getProjectUserList = implement(contract.getProjectUserList, ({ db, scope }) =>
  run(db, members, [scope.organizationId, scope.projectId]),
)
