import * as Type from 'typebox'
import { mutation, query } from './call.ts'
import { limits } from './limits.ts'
import { Closed, Done, Email, Empty, Flag, Id, Ids, LoginName, OptionalEmail, Text } from './scalars.ts'

export const getUserList = query('get-user-list', {
  summary: "The organization's people by login, for its admins and managers; others get an empty list.",
  access: 'session',
  request: Empty,
  response: Type.Array(Type.Object({ id: Id, LoginName: Type.String() })),
})
export const createUser = mutation('create-user', {
  summary: "Makes a user in the session's organization, without a password: they set it through the reset page.",
  access: 'session',
  rank: 'admin',
  changesRights: true,
  idempotent: true,
  request: Closed({
    LoginName,
    Email,
    Greet: Type.Optional(Text(limits.personName)),
    Real: Type.Optional(Text(limits.personName)),
    SendWelcome: Flag,
    ProjectAssign: Type.Array(Id, { maxItems: limits.list, uniqueItems: true }),
  }),
  response: Type.Object({ Success: Type.Literal(1), idUser: Id }),
})
export const getUserEditData = query('get-user-edit-data', {
  summary: "A person of the session's organization; the membership names this organization's projects alone.",
  access: 'session',
  rank: 'manager',
  request: Closed({ idUser: Id }),
  response: Type.Object({
    Login: Type.String(),
    FullName: Type.String(),
    GivenName: Type.String(),
    Email: Type.String(),
    ProjectMembership: Ids,
  }),
})
export const setUserDataAdmin = mutation('set-user-data-admin', {
  summary: 'Changes a person. Login and e-mail only of people who belong to no other organization, unless a super user asks.',
  access: 'session',
  rank: 'manager',
  changesRights: true,
  request: Closed({
    idUser: Id,
    LoginName: Type.Optional(LoginName),
    RealName: Type.Optional(Text(limits.personName)),
    GreetingName: Type.Optional(Text(limits.personName)),
    Email: Type.Optional(OptionalEmail),
    ProjectMembership: Type.Optional(Type.Array(Id, { maxItems: limits.list, uniqueItems: true })),
  }),
  response: Done,
})
