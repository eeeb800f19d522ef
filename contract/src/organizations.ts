import * as Type from 'typebox'
import { mutation, query } from './call.ts'
import { Closed, Done, Empty, EpochSeconds, Flag, Id, LinkToken, LoginName, Name } from './scalars.ts'

export const getOrganizationList = query('get-organization-list', {
  summary: 'By title: all for a super user, the managed ones for a manager, none for others.',
  access: 'session',
  request: Empty,
  response: Type.Array(Type.Object({ idOrganization: Id, Description: Type.String() })),
})
export const createOrganization = mutation('create-organization', {
  summary: 'Makes an organization.',
  access: 'session',
  rank: 'super',
  changesRights: true,
  idempotent: true,
  request: Closed({ Title: Name() }),
  response: Type.Object({ Success: Type.Literal(1), idOrganization: Id }),
})
export const getOrganizationData = query('get-organization-data', {
  summary: 'The organization, its projects and its members. For its admins and managers (of the session organization), and super users.',
  access: 'organization',
  request: Closed({ idOrganization: Id }),
  response: Type.Object({
    idOrganization: Id,
    Title: Type.String(),
    Projects: Type.Array(Type.Object({ idProject: Id, Title: Type.String(), ShortCode: Type.String(), Archived: Flag })),
    Members: Type.Array(Type.Object({ idUser: Id, LoginName: Type.String(), FullName: Type.String(), Admin: Flag, Manager: Flag })),
    /** Whether the caller may change title and members. */
    Editable: Flag,
  }),
})
export const setOrganizationData = mutation('set-organization-data', {
  summary: 'Renames the organization.',
  access: 'organization',
  changesRights: true,
  request: Closed({ idOrganization: Id, Title: Name() }),
  response: Done,
})
export const setOrganizationMember = mutation('set-organization-member', {
  summary:
    'Adds a person by login, or changes the organization permissions of a member; flags left out stay, or are 0 for a new member. Unless a super user asks, a new member is only invited, by mail.',
  access: 'organization',
  changesRights: true,
  request: Closed({
    idOrganization: Id,
    idUser: Type.Optional(Id),
    LoginName: Type.Optional(LoginName),
    Admin: Type.Optional(Flag),
    Manager: Type.Optional(Flag),
  }),
  response: Type.Object({
    Success: Type.Literal(1),
    idUser: Id,
    /** The person is no member before they accept. */
    Invited: Type.Optional(Type.Literal(1)),
  }),
})
export const getInvitation = query('public/get-invitation', {
  summary: 'What the link of an invitation is about. Every failure is the same 422.',
  access: 'public',
  request: Closed({ Token: LinkToken }),
  response: Type.Object({ Organization: Type.String(), LoginName: Type.String() }),
})
export const acceptInvitation = mutation('public/accept-invitation', {
  summary: 'The invited person becomes a member. The link works once, for 72 hours, while whoever invited still may.',
  access: 'public',
  request: Closed({ Token: LinkToken }),
  response: Done,
})
export const getOrganizationMemberCandidates = query('get-organization-member-candidates', {
  summary: "People who are known to the organization's projects, having been members, and are none now: whom to offer when one is added.",
  access: 'organization',
  request: Closed({ idOrganization: Id }),
  response: Type.Array(Type.Object({ id: Id, LoginName: Type.String(), FullName: Type.String() })),
})
export const removeOrganizationMember = mutation('remove-organization-member', {
  summary: 'Removes a person from the organization and its projects; their sessions in it end at once.',
  access: 'organization',
  changesRights: true,
  request: Closed({ idOrganization: Id, idUser: Id }),
  response: Done,
})
export const restoreOrganizationMember = mutation('restore-organization-member', {
  summary:
    'Takes the last removal of a person back: membership, organization permissions, projects with the permissions there, and roles on tickets. They sign in anew.',
  access: 'organization',
  changesRights: true,
  request: Closed({ idOrganization: Id, idUser: Id }),
  response: Done,
})

export const getBackupStatus = query('get-backup-status', {
  summary: 'When the last backup was made and when a restore of it was last proven. For super users.',
  access: 'session',
  rank: 'super',
  request: Empty,
  response: Type.Object({
    /** `proven`: the newest backup was restored and compared in the last 26 hours. */
    State: Type.Union([Type.Literal('proven'), Type.Literal('unproven'), Type.Literal('failed'), Type.Literal('none')]),
    LastBackup: Type.Union([EpochSeconds, Type.Null()]),
    LastProven: Type.Union([EpochSeconds, Type.Null()]),
    Message: Type.String(),
  }),
})
