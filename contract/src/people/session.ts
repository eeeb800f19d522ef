import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/session.ts'

export type { SignedIn } from './shapes/session.ts'

export const authenticate = mutation<typeof shapes.authenticate, 'public'>('authenticate', { access: 'public' })
export const logout = mutation<typeof shapes.logout, 'public'>('logout', { access: 'public', method: 'GET' })
export const connstate = query<typeof shapes.connstate, 'public'>('connstate', { access: 'public', method: 'GET' })
export const simulateTimeout = mutation<typeof shapes.simulateTimeout, 'session'>('simulate-timeout', { access: 'session' })

export const getClientConfig = query<typeof shapes.getClientConfig, 'public'>('public/client-config', { access: 'public', method: 'GET' })

export const setUp = mutation<typeof shapes.setUp, 'public'>('public/set-up', { access: 'public' })

export const getSessionList = query<typeof shapes.getSessionList, 'session'>('get-session-list', { access: 'session' })
export const endSessions = mutation<typeof shapes.endSessions, 'session'>('end-sessions', { access: 'session' })
