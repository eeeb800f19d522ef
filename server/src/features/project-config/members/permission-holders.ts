import { allPermissions, permission } from '@tessera/contract/permissions'
import { holds, type ProjectScope, permissionMask } from '../../../lib/authorize.ts'
import { Failure, notPermitted } from '../../../lib/failure.ts'

export interface Member {
  id: number
  userId: number
  permissions: number
  /** Whether the person's account is deactivated. */
  disabled: boolean
}

/** Members who both see the project and manage its permissions: either one alone is useless. */
const managing = permissionMask([permission.viewTickets, permission.managePermissions])

/** Nobody grants or revokes a permission they do not hold. */
export function requireHeld({ permissions }: Pick<ProjectScope, 'permissions'>, needed: number) {
  const missing = allPermissions.find(id => holds({ permissions: needed & ~permissions }, id))
  if (missing) throw notPermitted(missing)
}

/** The last active member who manages permissions cannot give that up; an organization admin is exempt. */
export function requireAnotherHolder(scope: Pick<ProjectScope, 'admin'>, members: readonly Member[], ...changed: Member[]) {
  const next = new Map(changed.map(({ id, permissions }) => [id, permissions]))
  const manages = ({ id, permissions }: Member) => isManaging(next.get(id) ?? permissions)
  // A deactivated person cannot sign in to manage anything.
  const active = members.filter(({ disabled }) => !disabled)
  if (scope.admin || !active.some(member => isManaging(member.permissions) && !manages(member)) || active.some(manages)) return
  throw new Failure('rule', "The last member with 'View tickets' and 'Manage permissions' keeps both")
}

function isManaging(permissions: number) {
  return (permissions & managing) === managing
}
