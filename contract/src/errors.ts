import * as Type from 'typebox'

/** Each refusal and its HTTP status. 403 means "no live session" and nothing else. */
export const errorStatus = {
  invalid: 400,
  query: 400,
  csrf: 400,
  captcha: 400,
  session: 403,
  not_found: 404,
  conflict: 409,
  cycle: 409,
  blocked: 409,
  identity_changed: 409,
  too_large: 413,
  media_type: 415,
  not_permitted: 422,
  duplicate: 422,
  in_use: 422,
  same_ticket: 422,
  cannot_view: 422,
  rule: 422,
  throttled: 429,
  defect: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

/** The body of every refusal but 403, which is `{ auth: 0 }`. */
export const ErrorAnswer = Type.Object({
  Success: Type.Optional(Type.Literal(0)),
  /** A sentence for a person. */
  error: Type.String(),
  code: Type.String(),
  requestId: Type.String(),
  /** 422 `not_permitted`: the missing permission, by name. */
  needs: Type.Optional(Type.String()),
  /** 400: what is wrong where. 404: what in the request does not exist. */
  fields: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})
export type ErrorAnswer = Type.Static<typeof ErrorAnswer>
