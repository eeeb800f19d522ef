import { mutation, query } from '../call.ts'
import { limits } from '../limits.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/tickets.ts'

export type { QueriedTicket, TicketField, TicketListItem } from './shapes/tickets.ts'

export const getTicketList = query<typeof shapes.getTicketList, 'project'>('get-ticket-list', { access: 'project' })

export const sortColumns = ['ID', 'Type', 'Phase', 'State'] as const

/** Columns that a list shows on request, besides the project's fields. */
export const listColumns = ['Assignees', 'Labels', 'Created', 'Updated', 'Parent', 'Watched'] as const

export const queryTickets = query<typeof shapes.queryTickets, 'project'>('query-tickets', { access: 'project' })

export const getTicketData = query<typeof shapes.getTicketData, 'ticket'>('get-ticket-data', { access: 'ticket' })

export const setTicketData = mutation<typeof shapes.setTicketData, 'ticket'>('set-ticket-data', {
  access: 'ticket',
  bodyLimit: limits.ticketData,
})

export const createNewTicket = mutation<typeof shapes.createNewTicket, 'project'>('create-new-ticket', {
  access: 'project',
  permission: permission.createTickets,
  idempotent: true,
  bodyLimit: limits.ticketData,
})

export const getTicketByKey = query<typeof shapes.getTicketByKey, 'session'>('get-ticket-by-key', { access: 'session' })

export const getTicketHistory = query<typeof shapes.getTicketHistory, 'ticket'>('get-ticket-history', { access: 'ticket' })
