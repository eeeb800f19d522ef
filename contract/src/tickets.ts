import { mutation, query } from './call.ts'
import { limits } from './limits.ts'
import { permission } from './permissions.ts'
import type * as shapes from './shapes/tickets.ts'

export type { QueriedTicket, TicketField, TicketListItem } from './shapes/tickets.ts'

export const getTicketList = query<typeof shapes.getTicketList, 'project'>('get-ticket-list', { access: 'project' })

export const sortColumns = ['ID', 'Type', 'Phase', 'State'] as const

/** Columns that a list shows on request, beside the project's fields. */
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
})

export const setTicketNotification = mutation<typeof shapes.setTicketNotification, 'ticket'>('set-ticket-notification', {
  access: 'ticket',
})

export const getTicketWatchers = query<typeof shapes.getTicketWatchers, 'ticket'>('get-ticket-watchers', { access: 'ticket' })
export const getMentionableUsers = query<typeof shapes.getMentionableUsers, 'ticket'>('get-mentionable-users', { access: 'ticket' })
export const getTextNames = query<typeof shapes.getTextNames, 'ticket'>('get-text-names', { access: 'ticket' })
export const setTicketWatcher = mutation<typeof shapes.setTicketWatcher, 'ticket'>('set-ticket-watcher', { access: 'ticket' })

export const moveTicketWatchers = mutation<typeof shapes.moveTicketWatchers, 'ticket'>('move-ticket-watchers', {
  access: 'ticket',
  permission: permission.editTickets,
})

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

export const getTicketByKey = query<typeof shapes.getTicketByKey, 'session'>('get-ticket-by-key', { access: 'session' })

export const getTicketHistory = query<typeof shapes.getTicketHistory, 'ticket'>('get-ticket-history', { access: 'ticket' })
