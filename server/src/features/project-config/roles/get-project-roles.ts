import * as contract from '@tessera/contract/projects'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'

export const getProjectRoles = implement(contract.getProjectRoles, async ({ db, scope }) => {
  const { rows } = await sql<{ id: number; Description: string; Assignments: number }>`
    select r.id, r.name as "Description",
      (select count(*)::int from assignment a where a.organization_id = ${scope.organizationId} and a.role_id = r.id) as "Assignments"
    from role r where r.organization_id = ${scope.organizationId} and r.project_id = ${scope.projectId}
    order by r.position, r.id`.execute(db)
  return rows
})
