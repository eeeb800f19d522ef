import * as contract from '@tessera/contract/tickets/assignees'
import { run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const roles = statement(
  { id: int8, text },
  'select id, name as text from role where organization_id = $1 and project_id = $2 order by position, id',
)

export const getProjectRoleList = implement(contract.getProjectRoleList, ({ db, scope }) =>
  run(db, roles, [scope.organizationId, scope.projectId]),
)
