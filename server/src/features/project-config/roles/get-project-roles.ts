import * as contract from '@tessera/contract/projects/projects'
import { queryRows } from '../../../db/db.ts'
import { int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

export const getProjectRoles = implement(contract.getProjectRoles, async ({ db, scope }) => {
  return queryRows(db, { id: int8, Description: text, Assignments: int4 })`
    select r.id, r.name as "Description",
      (select count(*)::int from assignment a where a.organization_id = ${scope.organizationId} and a.role_id = r.id) as "Assignments"
    from role r where r.organization_id = ${scope.organizationId} and r.project_id = ${scope.projectId}
    order by r.position, r.id`
})
