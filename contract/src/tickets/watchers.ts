import { mutation, query } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/watchers.ts'

export const setTicketNotification = mutation<typeof shapes.setTicketNotification, 'ticket'>('set-ticket-notification', {
  access: 'ticket',
  tells: 'caller',
})

export const getTicketWatchers = query<typeof shapes.getTicketWatchers, 'ticket'>('get-ticket-watchers', { access: 'ticket' })
export const getMentionableUsers = query<typeof shapes.getMentionableUsers, 'ticket'>('get-mentionable-users', { access: 'ticket' })
export const getTextNames = query<typeof shapes.getTextNames, 'ticket'>('get-text-names', { access: 'ticket' })
export const setTicketWatcher = mutation<typeof shapes.setTicketWatcher, 'ticket'>('set-ticket-watcher', {
  access: 'ticket',
  tells: 'caller',
})

export const moveTicketWatchers = mutation<typeof shapes.moveTicketWatchers, 'ticket'>('move-ticket-watchers', {
  access: 'ticket',
  permission: permission.editTickets,
})
