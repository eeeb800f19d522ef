import * as contract from '@tessera/contract/projects/projects'
import { queryRows } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

export const getProjectMemberCandidates = implement(contract.getProjectMemberCandidates, async ({ db, scope }) => {
  return queryRows(db, { id: int8, LoginName: text, FullName: text })`
    select u.id, u.login as "LoginName", u.full_name as "FullName"
    from organization_member om join user_account u on u.id = om.user_id and not u.disabled
    where om.organization_id = ${scope.organizationId} and not exists (
      select 1 from project_member pm
      where pm.organization_id = ${scope.organizationId} and pm.project_id = ${scope.projectId} and pm.user_id = om.user_id)
    order by lower(unaccent(u.login))`
})
