import * as Type from 'typebox'
import { Closed, Done, Empty, EpochSeconds, Flag, Id, LinkToken, LoginName, Name } from '../../scalars.ts'

export const getOrganizationList = {
  summary: 'Organizations by title: all for a super user, the managed ones for a manager, none for others.',
  request: Empty,
  response: Type.Array(Type.Object({ idOrganization: Id, Description: Type.String() })),
}
export const createOrganization = {
  summary: 'Creates an organization.',
  request: Closed({ Title: Name() }),
  response: Type.Object({ Success: Type.Literal(1), idOrganization: Id }),
}
export const getOrganizationData = {
  summary: 'The organization, its projects and its members. For its admins and managers (of the session organization), and super users.',
  request: Closed({ idOrganization: Id }),
  response: Type.Object({
    idOrganization: Id,
    Title: Type.String(),
    Projects: Type.Array(Type.Object({ idProject: Id, Title: Type.String(), ShortCode: Type.String(), Archived: Flag })),
    Members: Type.Array(Type.Object({ idUser: Id, LoginName: Type.String(), FullName: Type.String(), Admin: Flag, Manager: Flag })),
    /** Whether the caller may change title and members. */
    Editable: Flag,
  }),
}
export const setOrganizationData = {
  summary: 'Renames the organization.',
  request: Closed({ idOrganization: Id, Title: Name() }),
  response: Done,
}
export const setOrganizationMember = {
  summary:
    "Adds a person by login, or changes a member's organization permissions; omitted flags stay as they are, or are 0 for a new member. Only a super user adds people at once; otherwise they are invited by mail.",
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
    /** The person becomes a member when they accept. */
    Invited: Type.Optional(Type.Literal(1)),
  }),
}
export const getInvitation = {
  summary: "The organization that an invitation's link is for. Every failure is the same 422.",
  request: Closed({ Token: LinkToken }),
  response: Type.Object({ Organization: Type.String(), LoginName: Type.String() }),
}
export const acceptInvitation = {
  summary: 'The invited person becomes a member. The link works once, for 72 hours, as long as its sender may still invite people.',
  request: Closed({ Token: LinkToken }),
  response: Done,
}
export const getOrganizationMemberCandidates = {
  summary: 'Former members of the organization, as suggestions when a member is added.',
  request: Closed({ idOrganization: Id }),
  response: Type.Array(Type.Object({ id: Id, LoginName: Type.String(), FullName: Type.String() })),
}
export const removeOrganizationMember = {
  summary: 'Removes a person from the organization and its projects; their sessions in it end at once.',
  request: Closed({ idOrganization: Id, idUser: Id }),
  response: Done,
}
export const restoreOrganizationMember = {
  summary:
    'Undoes the last removal of a person: restores membership, organization permissions, projects with permissions, and roles on tickets, but not sessions. After a day, only for super users.',
  request: Closed({ idOrganization: Id, idUser: Id }),
  response: Done,
}

export const getBackupStatus = {
  summary: 'When the last backup was made and when a restore of it was last proven. For super users.',
  request: Empty,
  response: Type.Object({
    /** `proven`: the newest backup was restored and compared in the last 26 hours. `incomplete`: the same, but attachment files were missing or damaged. */
    State: Type.Union([
      Type.Literal('proven'),
      Type.Literal('incomplete'),
      Type.Literal('unproven'),
      Type.Literal('failed'),
      Type.Literal('none'),
    ]),
    LastBackup: Type.Union([EpochSeconds, Type.Null()]),
    LastProven: Type.Union([EpochSeconds, Type.Null()]),
    Message: Type.String(),
  }),
}
