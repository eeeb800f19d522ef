import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'

export const getUserPermissions = implement(contract.getUserPermissions, async ({ db, scope }) => {
  const rows = await queryRows(db, { id: int8, Login: text, permissions: int4 })`
    select pm.id, u.login as "Login", pm.permissions from project_member pm join user_account u on u.id = pm.user_id
    where pm.organization_id = ${scope.organizationId} and pm.project_id = ${scope.projectId}
    order by lower(unaccent(u.login))`
  return rows.map(({ id, Login, permissions }) => ({ id, Login, Permissions: permissionList(permissions) }))
})
