import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, Password, Text } from '../../scalars.ts'

/** A captcha answer; those of every provider stay below 8 KiB, and have no character that JSON escapes. */
const CaptchaToken = Text(8192, 1)

export const resetPassword = {
  summary: 'Requests a reset link by mail. The answer and the time it takes are the same for every name.',
  request: Closed({ AuthName: Type.Intersect([Text(limits.email), Type.String({ minLength: 1, pattern: '\\S' })]), Captcha: CaptchaToken }),
  response: Done,
}
export const resetPasswordActivate = {
  summary: 'Sets the new password. The code works once, for 15 minutes, on the device that requested it; every failure is the same 422.',
  request: Closed({ password: Password, captcha: CaptchaToken, verifycode: Text(200, 1) }),
  response: Done,
}
