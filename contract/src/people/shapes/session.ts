import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Email, Empty, EpochSeconds, Flag, Id, LoginName, Name, Password, Text } from '../../scalars.ts'

/** Who is signed in, where, and what the screens may offer. Hints for the screens only: the server never reads them back. */
export const SignedIn = Type.Object({
  auth: Type.Literal(1),
  idUser: Id,
  orgname: Type.String(),
  orgid: Id,
  super: Flag,
  /** How many organizations the person manages. */
  managedorgs: Type.Integer(),
  orgperms: Type.Array(Type.String()),
  projperms: Type.Array(Type.Object({ idProject: Id, Permissions: Type.Array(Id) })),
  projects: Type.Array(Type.Object({ id: Id, shortcode: Type.String(), Title: Type.String() })),
  DisplayName: Type.String(),
})
export type SignedIn = Type.Static<typeof SignedIn>
const SignedOut = Type.Object({ auth: Type.Literal(0) })
const OrganizationNeeded = Type.Object({ auth: Type.Literal(0), orglist: Type.Array(Type.Object({ id: Id, name: Type.String() })) })

export const authenticate = {
  summary: 'Signs in. A person with several organizations first has to choose one: `orglist` is sent only after a correct password.',
  request: Closed({ user: Text(limits.login), pass: Text(limits.password), orgid: Type.Optional(Id) }),
  response: Type.Union([SignedIn, OrganizationNeeded, SignedOut]),
}
export const logout = {
  summary: "Ends the caller's own session; refused when the request comes from another site.",
  request: Empty,
  response: Type.Object({ Success: Type.Literal(1) }),
}
export const connstate = {
  summary: 'Tells whether the caller is signed in. Never 403 and never extends the session; refreshes the CSRF token.',
  request: Empty,
  response: Type.Union([SignedIn, SignedOut]),
}
export const simulateTimeout = {
  summary: "Ends the caller's session as a time-out would, and answers 403.",
  request: Empty,
  response: Type.Object({ auth: Type.Literal(0) }),
}

export const getClientConfig = {
  summary: 'What the page needs before the sign-in.',
  request: Empty,
  response: Type.Object({
    product: Type.String(),
    version: Type.String(),
    language: Type.String(),
    captcha: Type.Object({
      /** Address of the provider's script, loaded with `render=explicit` and an onload callback. */
      script: Type.String(),
      /** The global object the script makes: `grecaptcha`, `hcaptcha`, `turnstile`, `altchaCaptcha`. */
      global: Type.String(),
      siteKey: Type.String(),
      options: Type.Record(Type.String(), Type.Unknown()),
    }),
    support: Type.String(),
    /** True until the first super user is created. */
    setUpNeeded: Type.Boolean(),
    limits: Type.Object({
      passwordMinLength: Type.Integer(),
      attachmentTypes: Type.Array(Type.String()),
      attachmentMaxBytes: Type.Integer(),
      sessionIdleMinutes: Type.Integer(),
    }),
  }),
}

export const setUp = {
  summary: 'First run: the holder of the one-time address from the console creates the first super user and organization.',
  request: Closed({ Token: Text(200), LoginName, Password, Email: Type.Optional(Email), Organization: Name() }),
  response: Type.Object({ Success: Type.Literal(1) }),
}

export const getSessionList = {
  summary: "The caller's live sessions, the newest first.",
  request: Empty,
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      Organization: Type.String(),
      Device: Type.String(),
      Address: Type.String(),
      DateCreated: EpochSeconds,
      LastSeen: EpochSeconds,
      Current: Flag,
    }),
  ),
}
export const endSessions = {
  summary: "Ends the caller's named sessions, or all but this one when none is named ('sign out everywhere').",
  request: Closed({ ids: Type.Optional(Type.Array(Text(100), { minItems: 1, maxItems: 100 })) }),
  response: Type.Object({ Success: Type.Literal(1), Ended: Type.Integer() }),
}
