import * as contract from '@tessera/contract/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'

export const getUserPermissions = implement(contract.getUserPermissions, async ({ db, scope }) => {
  const { rows } = await sql<{ id: number; Login: string; permissions: number }>`
    select pm.id, u.login as "Login", pm.permissions from project_member pm join user_account u on u.id = pm.user_id
    where pm.organization_id = ${scope.organizationId} and pm.project_id = ${scope.projectId}
    order by lower(u.login)`.execute(db)
  return rows.map(({ id, Login, permissions }) => ({ id, Login, Permissions: permissionList(permissions) }))
})
