import { query } from '../call.ts'
import type * as shapes from './shapes/assignees.ts'

export const getTicketRolelist = query<typeof shapes.getTicketRolelist, 'ticket'>('get-ticket-rolelist', { access: 'ticket' })
export const getProjectRoleList = query<typeof shapes.getProjectRoleList, 'ticket'>('get-project-role-list', { access: 'ticket' })
export const getProjectUserList = query<typeof shapes.getProjectUserList, 'ticket'>('get-project-user-list', { access: 'ticket' })
export const getProjectUserroleList = query<typeof shapes.getProjectUserroleList, 'ticket'>('get-project-userrole-list', {
  access: 'ticket',
})
