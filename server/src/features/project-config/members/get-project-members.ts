import * as contract from '@tessera/contract/projects'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'

export const getProjectMembers = implement(contract.getProjectMembers, async ({ db, scope }) => {
  const { rows } = await sql<{ idProjectMember: number; idUser: number; Login: string; FullName: string; permissions: number }>`
    select pm.id as "idProjectMember", pm.user_id as "idUser", u.login as "Login", u.full_name as "FullName", pm.permissions
    from project_member pm join user_account u on u.id = pm.user_id
    where pm.organization_id = ${scope.organizationId} and pm.project_id = ${scope.projectId}
    order by lower(u.login)`.execute(db)
  return rows.map(({ permissions, ...member }) => ({ ...member, Permissions: permissionList(permissions) }))
})
