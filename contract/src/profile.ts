import * as Type from 'typebox'
import { mutation, query } from './call.ts'
import { limits } from './limits.ts'
import { Closed, Done, Empty, Flag, LinkToken, OptionalEmail, Password, Text } from './scalars.ts'

export const getUserData = query('get-user-data', {
  summary: "The caller's own profile.",
  access: 'session',
  request: Empty,
  response: Type.Object({
    Email: Type.String(),
    FullName: Type.String(),
    GivenName: Type.String(),
    AutoReceiveNotifications: Type.Boolean(),
  }),
})
export const setUserData = mutation('set-user-data', {
  summary: 'Changes the own profile. The e-mail is read-only: another one than the stored is refused (422).',
  access: 'session',
  request: Closed({
    Email: Type.Optional(OptionalEmail),
    FullName: Type.Optional(Text(limits.personName)),
    GivenName: Type.Optional(Text(limits.personName)),
    AutoReceiveNotifications: Type.Optional(Type.Boolean()),
  }),
  response: Done,
})
export const changePassword = mutation('change-password', {
  summary: 'Changes the own password; every other session of the person ends. `Success: 0` when the current password is wrong.',
  access: 'session',
  request: Closed({ pass: Password, newpass: Password }),
  response: Type.Object({ Success: Flag }),
})
export const confirmEmail = mutation('public/confirm-email', {
  summary: 'Confirms an e-mail address that somebody else set. The link works once, for 72 hours; every failure is the same 422.',
  access: 'public',
  request: Closed({ Token: LinkToken }),
  response: Done,
})
