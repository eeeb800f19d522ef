import * as Type from 'typebox'
import { Closed, DatabaseKey, Done, Flag, Id, Ids, Name, ShortCode, SomeIds, SortOrder } from '../../scalars.ts'

export const getProjectList = {
  summary:
    "The caller's projects by title; with `GetAll` all of the organization, for its admins and managers. `Counts` adds how many tickets are not inactive, in total and assigned to the caller; it cannot be combined with `GetAll`. `Archived` adds the caller's archived projects, and says which these are; it has no effect with `Counts`, nor for whom `GetAll` has one.",
  request: Closed({ GetAll: Type.Optional(Flag), Counts: Type.Optional(Flag), Archived: Type.Optional(Flag) }),
  response: Type.Array(
    Type.Object({
      idProject: Id,
      Title: Type.String(),
      ShortCode: Type.String(),
      Archived: Type.Optional(Flag),
      Open: Type.Optional(Type.Integer()),
      Mine: Type.Optional(Type.Integer()),
    }),
  ),
}
export const createProject = {
  summary: "Creates a project in the session's organization; the creator becomes a member with every permission.",
  request: Closed({ Title: Name(), ShortCode }),
  response: Type.Object({ Success: Type.Literal(1), idProject: Id }),
}
export const getProjectProperty = {
  summary: "The project's short code.",
  request: Closed({ idProject: Id, Properties: Type.Array(Type.Literal('pcode'), { minItems: 1, maxItems: 1 }) }),
  response: Type.Object({ pcode: Type.String() }),
}

export const getProjectData = {
  summary: "The project's settings.",
  request: Closed({ idProject: Id }),
  response: Type.Object({
    idProject: Id,
    Title: Type.String(),
    ShortCode: Type.String(),
    Archived: Flag,
    BlockersHold: Flag,
    /** 1 when its tickets can carry labels, because it or the organization has any. */
    HasLabels: Flag,
    /** The database key of the DATE field that says when a ticket is due; '' for none. */
    DueField: Type.String(),
    Permissions: Type.Array(Id),
  }),
}
export const setProjectData = {
  summary:
    "Renames, archives or restores a project. An archived project stays readable and takes no changes. With `BlockersHold` no ticket becomes inactive while one that blocks it is not (409 `blocked`). `DueField` is the database key of the DATE field that says when a ticket is due, or '' for none; until one is chosen, a DATE field with the key `due` is used.",
  request: Closed({
    idProject: Id,
    Title: Type.Optional(Name()),
    ShortCode: Type.Optional(ShortCode),
    Archived: Type.Optional(Flag),
    BlockersHold: Type.Optional(Flag),
    DueField: Type.Optional(Type.Union([Type.Literal(''), DatabaseKey])),
  }),
  response: Done,
}

export const getProjectMembers = {
  summary: "The project's members by login.",
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ idProjectMember: Id, idUser: Id, Login: Type.String(), FullName: Type.String(), Permissions: Ids })),
}
export const getProjectMemberCandidates = {
  summary: 'People of the organization who are not members of the project.',
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ id: Id, LoginName: Type.String(), FullName: Type.String() })),
}
const ContributorPermission = Type.Union([
  Type.Literal(1),
  Type.Literal(2),
  Type.Literal(3),
  Type.Literal(4),
  Type.Literal(6),
  Type.Literal(7),
])
export const addProjectMember = {
  summary:
    'Adds a person of the organization with the contributor permissions, or with `Permissions` only these of them, as far as the caller holds them; adding a member again changes nothing.',
  request: Closed({
    idProject: Id,
    idUser: Id,
    Permissions: Type.Optional(Type.Array(ContributorPermission, { minItems: 1, maxItems: 6, uniqueItems: true })),
  }),
  response: Type.Object({
    Success: Type.Literal(1),
    idProjectMember: Id,
    /** 0 when the person was already a member. */
    Added: Flag,
  }),
}
export const removeProjectMember = {
  summary: "Removes a member, their permissions and their roles on the project's tickets.",
  request: Closed({ idProject: Id, idProjectMember: Id }),
  response: Done,
}
export const restoreProjectMember = {
  summary:
    "Undoes the last removal of a person: restores membership, permissions as far as the caller holds them, and roles on the project's tickets.",
  request: Closed({ idProject: Id, idUser: Id }),
  response: Type.Object({
    Success: Type.Literal(1),
    idProjectMember: Id,
    /** Permissions the person had and did not get back, since the caller does not hold them. */
    Withheld: Ids,
  }),
}

export const getProjectRoles = {
  summary: "The project's roles in their order, with how many assignments use each.",
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ id: Id, Description: Type.String(), Assignments: Type.Integer() })),
}
export const createProjectRole = {
  summary: 'Adds a role at the end of the order.',
  request: Closed({ idProject: Id, Role: Name() }),
  response: Type.Object({ Success: Type.Literal(1), idRole: Id }),
}
export const setProjectRole = {
  summary: 'Renames a role.',
  request: Closed({ idProject: Id, idRole: Id, Role: Name() }),
  response: Done,
}
export const setProjectRoleOrder = {
  summary: 'Orders the roles.',
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
}
export const deleteProjectRoles = {
  summary: 'Removes roles; a role that somebody holds on a ticket is refused (422 `in_use`) unless a replacement is given.',
  request: Closed({ idProject: Id, ids: SomeIds, idReplacement: Type.Optional(Id) }),
  response: Done,
}
export const restoreProjectRoles = {
  summary: 'Restores deleted roles under their former ids, for everybody who still holds the replacement.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({
    Success: Type.Literal(1),
    /** How many assignments have their role again. */
    Assignments: Type.Integer({ minimum: 0 }),
  }),
}
