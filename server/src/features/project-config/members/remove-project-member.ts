import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/projects'
import { implementWith } from '../../../http/implement.ts'
import { permissionMask } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { lockConfiguration } from '../ordered-rows.ts'
import { lockMembers, removeMember } from './membership.ts'
import { requireAnotherHolder, requireHeld } from './permission-holders.ts'

export const removeProjectMember = implementWith(contract.removeProjectMember, { takesLong: true }, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const members = await lockMembers(db, scope)
  const member = members.find(({ id }) => id === input.idProjectMember)
  if (!member) throw notFound()
  // A member who manages permissions can only be removed by somebody who could revoke that permission.
  requireHeld(scope, member.permissions & permissionMask([permission.managePermissions]))
  requireAnotherHolder(scope, members, { ...member, permissions: 0 })
  await recordChanges(db, scope, await removeMember(db, scope, member.userId, [scope.projectId]), {
    projectId: scope.projectId,
    isMailedOnce: true,
  })
  return { Success: 1 as const }
})
