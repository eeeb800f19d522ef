import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, Email, Flag, Id, Ids, LoginName, OptionalEmail, PersonName } from '../../scalars.ts'

export const getUserList = {
  summary: "The organization's people by login, for its admins and managers; others get an empty list. `Names` adds their full names.",
  request: Closed({ Names: Type.Optional(Flag) }),
  response: Type.Array(
    Type.Object({
      id: Id,
      LoginName: Type.String(),
      FullName: Type.Optional(Type.String()),
      /** Present on those who cannot sign in. */
      Deactivated: Type.Optional(Type.Literal(1)),
    }),
  ),
}
export const createUser = {
  summary:
    "Creates a user in the session's organization, without a password: they choose one through the link in the welcome mail, or on the reset page.",
  request: Closed({
    LoginName,
    Email,
    Greet: Type.Optional(PersonName),
    Real: Type.Optional(PersonName),
    SendWelcome: Flag,
    ProjectAssign: Type.Array(Id, { maxItems: limits.list, uniqueItems: true }),
  }),
  response: Type.Object({ Success: Type.Literal(1), idUser: Id }),
}
export const getUserEditData = {
  summary:
    "A person of the session's organization; the membership has only this organization's projects. With `Account: 1` also whether they can sign in and have set a password.",
  request: Closed({ idUser: Id, Account: Type.Optional(Flag) }),
  response: Type.Object({
    Login: Type.String(),
    FullName: Type.String(),
    GivenName: Type.String(),
    Email: Type.String(),
    ProjectMembership: Ids,
    Account: Type.Optional(Type.Object({ Active: Flag, HasPassword: Flag })),
  }),
}
export const getUserAccess = {
  summary:
    "What a person of the session's organization may do in it: their rank, and the projects they are a member of, archived ones too, each with their permissions and the number of open tickets that they have a role on. A page of projects by title; `NextCursor` goes back as `Cursor`.",
  request: Closed({ idUser: Id, Cursor: Type.Optional(Id) }),
  response: Type.Object({
    Active: Flag,
    Super: Flag,
    /** Organisation Admin: may do everything in every project of the organization. */
    Admin: Flag,
    Manager: Flag,
    Projects: Type.Array(
      Type.Object({
        idProject: Id,
        Title: Type.String(),
        ShortCode: Type.String(),
        Archived: Flag,
        Permissions: Ids,
        /** Open tickets that they have a role on. */
        Open: Type.Integer({ minimum: 0 }),
      }),
    ),
    /** Projects on all pages. */
    Total: Type.Integer({ minimum: 0 }),
    NextCursor: Type.Union([Id, Type.Null()]),
  }),
}
export const setUserActive = {
  summary:
    'Deactivates or reactivates an account. Deactivating ends its sessions and prevents sign-ins; its tickets, roles and history stay.',
  request: Closed({ idUser: Id, Active: Flag }),
  response: Done,
}
export const sendWelcomeMail = {
  summary: 'Sends the welcome mail, with the link to set the first password, again to a person who has not set one yet.',
  request: Closed({ idUser: Id }),
  response: Done,
}
export const setUserDataAdmin = {
  summary:
    'Changes a person. Only a super user may change login and e-mail of a person who belongs to another organization too. With `MembershipBefore`, the list that `ProjectMembership` was made from, only the difference between the two is applied.',
  request: Closed({
    idUser: Id,
    LoginName: Type.Optional(LoginName),
    RealName: Type.Optional(PersonName),
    GreetingName: Type.Optional(PersonName),
    Email: Type.Optional(OptionalEmail),
    ProjectMembership: Type.Optional(Type.Array(Id, { maxItems: limits.list, uniqueItems: true })),
    MembershipBefore: Type.Optional(Ids),
  }),
  response: Done,
}
