import { organizationAdmin, type PermissionId, permissionName } from './permissions.ts'

// Why something is refused, in the words of the screens and of the server's answers.

export const projectArchived = 'This project is archived and takes no changes'
export const ticketTrashed = 'This ticket is in the trash and takes no changes'
export const needsOrganizationAdmin = `Needs the organization permission ${organizationAdmin}`

export function needsPermission(id: PermissionId): string {
  return `Needs the permission ${permissionName(id)}`
}
