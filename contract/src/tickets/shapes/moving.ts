import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, EpochSeconds, Id } from '../../scalars.ts'

export const moveTicket = {
  summary:
    'Puts the ticket and its children under another parent of the same project, or at the root. Never makes a cycle, nor gives a ticket more than 20 ancestors.',
  request: Closed({ idTicket: Id, idParent: Type.Union([Id, Type.Null()]) }),
  response: Done,
}
export const moveTickets = {
  summary: 'Moves several tickets of a project, all or none, each as `move-ticket` does. `Before` has the moves that undo it.',
  request: Closed({
    idProject: Id,
    Moves: Type.Array(Closed({ idTicket: Id, idParent: Type.Union([Id, Type.Null()]) }), { minItems: 1, maxItems: limits.movesAtOnce }),
  }),
  response: Type.Object({
    Success: Type.Literal(1),
    Before: Type.Array(Type.Object({ idTicket: Id, idParent: Type.Union([Id, Type.Null()]) })),
  }),
}
export const trashTicket = {
  summary: 'Moves the ticket and its descendants to the trash.',
  request: Closed({ idTicket: Id }),
  response: Type.Object({ Success: Type.Literal(1), Tickets: Type.Integer() }),
}
export const restoreTicket = {
  summary: 'Restores a ticket from the trash, with what was trashed with it; at the root if its parent no longer exists.',
  request: Closed({ idTicket: Id }),
  response: Type.Object({ Success: Type.Literal(1), Tickets: Type.Integer() }),
}
export const purgeTicket = {
  summary: 'Deletes a ticket in the trash forever, with what was trashed with it; history still shows that it existed.',
  request: Closed({ idTicket: Id }),
  response: Type.Object({ Success: Type.Literal(1), Tickets: Type.Integer() }),
}
export const getTicketTrash = {
  summary:
    "The project's trash: the latest 100 tickets that were moved there, the latest first, each with the number of tickets trashed with it; with `Before`, the last id of a page, the next ones.",
  request: Closed({ idProject: Id, Before: Type.Optional(Id) }),
  response: Type.Array(
    Type.Object({
      id: Id,
      pcode: Type.String(),
      Type: Type.String(),
      Title: Type.String(),
      DateTrashed: EpochSeconds,
      TrashedBy: Type.String(),
      Tickets: Type.Integer(),
    }),
  ),
}
