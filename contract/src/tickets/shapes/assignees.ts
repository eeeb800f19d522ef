import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Flag, Id } from '../../scalars.ts'

const Choice = Type.Array(Type.Object({ id: Id, text: Type.String() }))

export const getTicketRolelist = {
  summary: "Names for the given pairs of person and role; pairs that do not belong to the ticket's project are left out.",
  request: Closed({ idTicket: Id, Assignees: Type.Array(Closed({ idUser: Id, idRole: Id }), { maxItems: limits.list }) }),
  response: Type.Array(Type.Object({ Name: Type.String(), Role: Type.String() })),
}
export const getProjectRoleList = {
  summary: "The roles of the ticket's project.",
  request: Closed({ idTicket: Id }),
  response: Choice,
}
export const getProjectUserList = {
  summary:
    "The members of the ticket's project, by name; with `Recent: 1` recently active people first. Deactivated people are included only while they hold a role on the ticket.",
  request: Closed({ idTicket: Id, Recent: Type.Optional(Flag) }),
  response: Choice,
}
export const getProjectUserroleList = {
  summary: 'Who holds which role on the ticket.',
  request: Closed({ idTicket: Id }),
  response: Type.Array(Type.Object({ idUser: Id, idRole: Id, Enabled: Flag })),
}
