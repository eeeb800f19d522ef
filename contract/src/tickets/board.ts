import { mutation, query } from '../call.ts'
import { limits } from '../limits.ts'
import type * as shapes from './shapes/board.ts'

export const queryBoard = query<typeof shapes.queryBoard, 'project'>('query-board', { access: 'project' })
export const moveOnBoard = mutation<typeof shapes.moveOnBoard, 'ticket'>('move-on-board', {
  access: 'ticket',
  bodyLimit: limits.ticketData,
})
