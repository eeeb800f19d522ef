import * as contract from '@tessera/contract/projects/projects'
import { run, unpreparedStatement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const candidates = unpreparedStatement(
  { id: int8, LoginName: text, FullName: text },
  `
  select u.id, u.login as "LoginName", u.full_name as "FullName" from organization_member om join user_account u on u.id = om.user_id and not u.disabled
  where om.organization_id = $1 and not exists (
    select 1 from project_member pm where pm.organization_id = $1 and pm.project_id = $2 and pm.user_id = om.user_id)
  order by lower(unaccent(u.login))`,
)

export const getProjectMemberCandidates = implement(contract.getProjectMemberCandidates, ({ db, scope }) =>
  run(db, candidates, [scope.organizationId, scope.projectId]),
)
