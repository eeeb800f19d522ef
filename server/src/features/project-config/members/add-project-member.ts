import { contributorPermissions } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/projects'
import { queryRows } from '../../../db/db.ts'
import { bool, int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { permissionMask } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { lockConfiguration } from '../ordered-rows.ts'
import { memberChange } from './membership.ts'

export const addProjectMember = implement(contract.addProjectMember, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const { organizationId, projectId } = scope
  // Nobody grants what they do not hold.
  const permissions = permissionMask(input.Permissions ?? contributorPermissions) & scope.permissions
  // Somebody who does not belong to the organization violates a foreign key, which is answered 404.
  const rows = await queryRows(db, { id: int8, made: bool })`
    insert into project_member as m (organization_id, project_id, user_id, permissions)
    values (${organizationId}, ${projectId}, ${input.idUser}, ${permissions})
    on conflict (organization_id, project_id, user_id) do update set permissions = m.permissions
    returning id, xmax = 0 as made`
  const [member] = rows
  if (!member) throw new Error(`user ${input.idUser} was not added`)
  await recordChanges(db, scope, member.made ? [memberChange(projectId, input.idUser)] : [])
  return { Success: 1 as const, idProjectMember: member.id, Added: member.made ? (1 as const) : (0 as const) }
})
