import * as Type from 'typebox'
import { query } from './call.ts'
import { limits } from './limits.ts'
import { Closed, Flag, Id } from './scalars.ts'

const Choice = Type.Array(Type.Object({ id: Id, text: Type.String() }))

export const getTicketRolelist = query('get-ticket-rolelist', {
  summary: "Names the given pairs of person and role; pairs that are not of the ticket's project are left out.",
  access: 'ticket',
  request: Closed({ idTicket: Id, Assignees: Type.Array(Closed({ idUser: Id, idRole: Id }), { maxItems: limits.list }) }),
  response: Type.Array(Type.Object({ Name: Type.String(), Role: Type.String() })),
})
export const getProjectRoleList = query('get-project-role-list', {
  summary: "The roles of the ticket's project.",
  access: 'ticket',
  request: Closed({ idTicket: Id }),
  response: Choice,
})
export const getProjectUserList = query('get-project-user-list', {
  summary: "The members of the ticket's project, by name.",
  access: 'ticket',
  request: Closed({ idTicket: Id }),
  response: Choice,
})
export const getProjectUserroleList = query('get-project-userrole-list', {
  summary: 'Who holds which role on the ticket.',
  access: 'ticket',
  request: Closed({ idTicket: Id }),
  response: Type.Array(Type.Object({ idUser: Id, idRole: Id, Enabled: Flag })),
})
