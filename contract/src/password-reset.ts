import * as Type from 'typebox'
import { mutation } from './call.ts'
import { limits } from './limits.ts'
import { Closed, Done, Password, Text } from './scalars.ts'

/** A captcha answer; those of every provider stay below 8 KiB, and have no character that JSON escapes. */
const CaptchaToken = Type.String({ minLength: 1, maxLength: 8192 })

export const resetPassword = mutation('public/reset-password', {
  summary: 'Asks for a reset link by mail. The answer and the time it takes are the same whatever the name.',
  access: 'public',
  bodyLimit: limits.body,
  request: Closed({ AuthName: Type.Intersect([Text(limits.email), Type.String({ minLength: 1, pattern: '\\S' })]), Captcha: CaptchaToken }),
  response: Done,
})
export const resetPasswordActivate = mutation('public/reset-password-activate', {
  summary: 'Sets the new password. The code works once, for 15 minutes, on the device that asked; every failure is the same 422.',
  access: 'public',
  bodyLimit: 2 * limits.body,
  request: Closed({ password: Password, captcha: CaptchaToken, verifycode: Type.String({ minLength: 1, maxLength: 200 }) }),
  response: Done,
})
