import { mutation, query } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/moving.ts'

export const moveTicket = mutation<typeof shapes.moveTicket, 'ticket'>('move-ticket', {
  access: 'ticket',
  permission: permission.editTickets,
})
export const moveTickets = mutation<typeof shapes.moveTickets, 'project'>('move-tickets', {
  access: 'project',
  permission: permission.editTickets,
})
export const trashTicket = mutation<typeof shapes.trashTicket, 'ticket'>('trash-ticket', {
  access: 'ticket',
  permission: permission.deleteTickets,
})
export const restoreTicket = mutation<typeof shapes.restoreTicket, 'ticket'>('restore-ticket', {
  access: 'ticket',
  permission: permission.deleteTickets,
})
export const purgeTicket = mutation<typeof shapes.purgeTicket, 'ticket'>('purge-ticket', {
  access: 'ticket',
  permission: permission.deleteTickets,
})
export const getTicketTrash = query<typeof shapes.getTicketTrash, 'project'>('get-ticket-trash', {
  access: 'project',
  permission: permission.deleteTickets,
})
