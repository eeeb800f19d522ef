import * as Type from 'typebox'
import { limits } from '../limits.ts'
import { Closed, Done, Email, Empty, Flag, Id, Ids, LoginName, OptionalEmail, Text } from '../scalars.ts'

export const getUserList = {
  summary: "The organization's people by login, for its admins and managers; others get an empty list.",
  request: Empty,
  response: Type.Array(Type.Object({ id: Id, LoginName: Type.String() })),
}
export const createUser = {
  summary: "Makes a user in the session's organization, without a password: they set it through the reset page.",
  request: Closed({
    LoginName,
    Email,
    Greet: Type.Optional(Text(limits.personName)),
    Real: Type.Optional(Text(limits.personName)),
    SendWelcome: Flag,
    ProjectAssign: Type.Array(Id, { maxItems: limits.list, uniqueItems: true }),
  }),
  response: Type.Object({ Success: Type.Literal(1), idUser: Id }),
}
export const getUserEditData = {
  summary: "A person of the session's organization; the membership names this organization's projects alone.",
  request: Closed({ idUser: Id }),
  response: Type.Object({
    Login: Type.String(),
    FullName: Type.String(),
    GivenName: Type.String(),
    Email: Type.String(),
    ProjectMembership: Ids,
  }),
}
export const setUserDataAdmin = {
  summary: 'Changes a person. Login and e-mail only of people who belong to no other organization, unless a super user asks.',
  request: Closed({
    idUser: Id,
    LoginName: Type.Optional(LoginName),
    RealName: Type.Optional(Text(limits.personName)),
    GreetingName: Type.Optional(Text(limits.personName)),
    Email: Type.Optional(OptionalEmail),
    ProjectMembership: Type.Optional(Type.Array(Id, { maxItems: limits.list, uniqueItems: true })),
  }),
  response: Done,
}
