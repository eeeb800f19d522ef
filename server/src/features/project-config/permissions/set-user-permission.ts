import { type PermissionId, permissionName } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { permissionMask } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { configurationChange } from '../configuration-change.ts'
import { lockMembers } from '../members/membership.ts'
import { requireAnotherHolder, requireHeld } from '../members/permission-holders.ts'
import { lockConfiguration } from '../ordered-rows.ts'

export const setUserPermission = implement(contract.setUserPermission, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const members = await lockMembers(db, scope)
  const member = members.find(({ id }) => id === input.idProjectMember)
  if (!member) throw notFound()
  const id = input.idPermission as PermissionId
  const bit = permissionMask([id])
  requireHeld(scope, bit)

  const enabled = (member.permissions & bit) !== 0
  const Enabled = input.Enabled ?? (enabled ? 0 : 1)
  if (Enabled === Number(enabled)) return { Success: 1 as const, Enabled }
  const permissions = Enabled === 1 ? member.permissions | bit : member.permissions & ~bit
  requireAnotherHolder(scope, members, { ...member, permissions })
  await sql`
    update project_member set permissions = ${permissions}
    where organization_id = ${scope.organizationId} and id = ${member.id}`.execute(db)
  await recordChanges(db, scope, [
    configurationChange(scope, 'project_member', member.userId, permissionName(id), String(Number(enabled)), String(Enabled)),
  ])
  return { Success: 1 as const, Enabled }
})
