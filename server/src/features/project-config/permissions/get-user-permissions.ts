import * as contract from '@tessera/contract/projects/project-config'
import { run, unpreparedStatement } from '../../../db/db.ts'
import { int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'

const held = unpreparedStatement(
  { id: int8, Login: text, permissions: int4 },
  `
  select pm.id, u.login as "Login", pm.permissions from project_member pm join user_account u on u.id = pm.user_id
  where pm.organization_id = $1 and pm.project_id = $2 order by lower(unaccent(u.login))`,
)

export const getUserPermissions = implement(contract.getUserPermissions, async ({ db, scope }) => {
  const rows = await run(db, held, [scope.organizationId, scope.projectId])
  return rows.map(({ id, Login, permissions }) => ({ id, Login, Permissions: permissionList(permissions) }))
})
