import { query } from '../call.ts'
import type * as shapes from './shapes/live.ts'

export type { LiveEvent } from './shapes/live.ts'

export const events = query<typeof shapes.events, 'session'>('events.php', { access: 'session', method: 'GET', passive: true })
