import { mutation } from '../call.ts'
import { limits } from '../limits.ts'
import type * as shapes from './shapes/password-reset.ts'

export const resetPassword = mutation<typeof shapes.resetPassword, 'public'>('public/reset-password', {
  access: 'public',
  bodyLimit: limits.body,
})
export const resetPasswordActivate = mutation<typeof shapes.resetPasswordActivate, 'public'>('public/reset-password-activate', {
  access: 'public',
  bodyLimit: 2 * limits.body,
})
