import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/profile.ts'

export const getUserData = query<typeof shapes.getUserData, 'session'>('get-user-data', { access: 'session' })
export const setUserData = mutation<typeof shapes.setUserData, 'session'>('set-user-data', { access: 'session' })
export const changePassword = mutation<typeof shapes.changePassword, 'session'>('change-password', { access: 'session' })
export const confirmEmail = mutation<typeof shapes.confirmEmail, 'public'>('public/confirm-email', { access: 'public' })
