/** The permission types in the order of the permissions matrix. Their ids never change: members hold them as bits, and a new one only after a migration. */
export const permissionTypes = [
  { id: 1, Description: 'View tickets' },
  { id: 2, Description: 'Create tickets' },
  { id: 3, Description: 'Edit tickets' },
  { id: 4, Description: 'Change state' },
  { id: 5, Description: 'Assign people' },
  { id: 6, Description: 'Comment' },
  { id: 7, Description: 'Add attachments' },
  { id: 8, Description: 'Manage fields' },
  { id: 9, Description: 'Manage states' },
  { id: 10, Description: 'Manage templates' },
  { id: 11, Description: 'Manage permissions' },
  { id: 12, Description: 'Delete tickets' },
  { id: 13, Description: 'Manage project' },
] as const

export type PermissionId = (typeof permissionTypes)[number]['id']

/** The same ids by name, for code. */
export const permission = {
  viewTickets: 1,
  createTickets: 2,
  editTickets: 3,
  changeState: 4,
  assignPeople: 5,
  comment: 6,
  addAttachments: 7,
  manageFields: 8,
  manageStates: 9,
  manageTemplates: 10,
  managePermissions: 11,
  deleteTickets: 12,
  manageProject: 13,
} as const satisfies Record<string, PermissionId>

/** What a member added by an administrator may do. */
export const contributorPermissions: readonly PermissionId[] = [1, 2, 3, 4, 6, 7]
/** What copying a project's set-up needs in the project that gets it: what changes each part of it. */
export const setUpPermissions: readonly PermissionId[] = [
  permission.manageStates,
  permission.manageFields,
  permission.manageTemplates,
  permission.manageProject,
]
/** What a project's creator, its organization's admins and super users may do. */
export const allPermissions: readonly PermissionId[] = permissionTypes.map(({ id }) => id)

/** Common combinations of a member's permissions, by name. */
export const permissionPresets: readonly { name: string; permissions: readonly PermissionId[] }[] = [
  { name: 'Viewer', permissions: [1] },
  { name: 'Reporter', permissions: [1, 2, 6, 7] },
  { name: 'Contributor', permissions: contributorPermissions },
  { name: 'Lead', permissions: allPermissions },
]

/** The name in `orgperms` that makes an organization admin. */
export const organizationAdmin = 'Organisation Admin'

export function permissionName(id: PermissionId): string {
  return permissionTypes.find(type => type.id === id)?.Description ?? `permission ${id}`
}
