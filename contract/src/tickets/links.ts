import { mutation, query } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/links.ts'

export type { LinkKind } from './shapes/links.ts'

export const findTickets = query<typeof shapes.findTickets, 'ticket'>('find-tickets', { access: 'ticket' })
export const getTicketLinks = query<typeof shapes.getTicketLinks, 'ticket'>('get-ticket-links', { access: 'ticket' })
export const getLinksBetween = query<typeof shapes.getLinksBetween, 'project'>('get-links-between', { access: 'project' })
export const setTicketLink = mutation<typeof shapes.setTicketLink, 'ticket'>('set-ticket-link', {
  access: 'ticket',
  permission: permission.editTickets,
  idempotent: true,
})
export const removeTicketLink = mutation<typeof shapes.removeTicketLink, 'link'>('remove-ticket-link', {
  access: 'link',
  permission: permission.editTickets,
})
