import { allPermissions, permission } from '@tessera/contract/permissions'
import { holds, type ProjectScope, permissionMask } from '../../../lib/authorize.ts'
import { Failure, notPermitted } from '../../../lib/failure.ts'

export interface Member {
  id: number
  userId: number
  permissions: number
}

/** Members who both see the project and manage its permissions: either one alone is useless. */
const managing = permissionMask([permission.viewTickets, permission.managePermissions])

/** Nobody grants or revokes a permission they do not hold. */
export function requireHeld({ permissions }: Pick<ProjectScope, 'permissions'>, needed: number) {
  const missing = allPermissions.find(id => holds({ permissions: needed & ~permissions }, id))
  if (missing) throw notPermitted(missing)
}

/** The last member who manages permissions cannot give that up; an organization admin is exempt. */
export function requireAnotherHolder(scope: Pick<ProjectScope, 'admin'>, members: readonly Member[], changed: Member) {
  const before = members.find(({ id }) => id === changed.id)?.permissions ?? 0
  if (scope.admin || !isManaging(before) || isManaging(changed.permissions)) return
  if (members.some(({ id, permissions }) => id !== changed.id && isManaging(permissions))) return
  throw new Failure('rule', "The last member with 'View tickets' and 'Manage permissions' keeps both")
}

function isManaging(permissions: number) {
  return (permissions & managing) === managing
}
