import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/users.ts'

export const getUserList = query<typeof shapes.getUserList, 'session'>('get-user-list', { access: 'session' })
export const createUser = mutation<typeof shapes.createUser, 'session'>('create-user', {
  access: 'session',
  rank: 'admin',
  changesRights: true,
  idempotent: true,
})
export const setUserActive = mutation<typeof shapes.setUserActive, 'session'>('set-user-active', {
  access: 'session',
  rank: 'manager',
  changesRights: true,
})
export const sendWelcomeMail = mutation<typeof shapes.sendWelcomeMail, 'session'>('send-welcome-mail', {
  access: 'session',
  rank: 'manager',
  changesRights: true,
})
export const getUserEditData = query<typeof shapes.getUserEditData, 'session'>('get-user-edit-data', { access: 'session', rank: 'manager' })
export const getUserAccess = query<typeof shapes.getUserAccess, 'session'>('get-user-access', { access: 'session', rank: 'admin' })
export const setUserDataAdmin = mutation<typeof shapes.setUserDataAdmin, 'session'>('set-user-data-admin', {
  access: 'session',
  rank: 'manager',
  changesRights: true,
})
