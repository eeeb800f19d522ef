import * as contract from '@tessera/contract/projects/projects'
import { run, unpreparedStatement } from '../../../db/db.ts'
import { int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { permissionList } from '../../../lib/authorize.ts'

const members = unpreparedStatement(
  { idProjectMember: int8, idUser: int8, Login: text, FullName: text, permissions: int4 },
  `
  select pm.id as "idProjectMember", pm.user_id as "idUser", u.login as "Login", u.full_name as "FullName", pm.permissions
  from project_member pm join user_account u on u.id = pm.user_id
  where pm.organization_id = $1 and pm.project_id = $2 order by lower(unaccent(u.login))`,
)

export const getProjectMembers = implement(contract.getProjectMembers, async ({ db, scope }) => {
  const rows = await run(db, members, [scope.organizationId, scope.projectId])
  return rows.map(({ permissions, ...member }) => ({ ...member, Permissions: permissionList(permissions) }))
})
