import * as Type from 'typebox'
import { Closed, Done, Flag, Id, LinkToken, OptionalEmail, Password, PersonName } from '../../scalars.ts'

export const getUserData = {
  summary: "The caller's own profile. With `CalendarFeeds: 1` also what is read of their tickets without a session.",
  request: Closed({ CalendarFeeds: Type.Optional(Flag) }),
  response: Type.Object({
    Email: Type.String(),
    FullName: Type.String(),
    GivenName: Type.String(),
    AutoReceiveNotifications: Type.Boolean(),
    /** The projects of this organization in which the caller has calendar feeds, and how many: they are read without a session. */
    CalendarFeeds: Type.Optional(Type.Array(Type.Object({ idProject: Id, Title: Type.String(), Feeds: Type.Integer({ minimum: 1 }) }))),
  }),
}
export const setUserData = {
  summary: "Changes the caller's profile. The e-mail is read-only: a different one is refused (422).",
  request: Closed({
    Email: Type.Optional(OptionalEmail),
    FullName: Type.Optional(PersonName),
    GivenName: Type.Optional(PersonName),
    AutoReceiveNotifications: Type.Optional(Type.Boolean()),
  }),
  response: Done,
}
export const changePassword = {
  summary: "Changes the caller's password; every other session of the person ends. `Success: 0` when the current password is wrong.",
  request: Closed({ pass: Password, newpass: Password }),
  response: Type.Object({ Success: Flag }),
}
export const confirmEmail = {
  summary: 'Confirms an e-mail address that somebody else set. The link works once, for 72 hours; every failure is the same 422.',
  request: Closed({ Token: LinkToken }),
  response: Done,
}
