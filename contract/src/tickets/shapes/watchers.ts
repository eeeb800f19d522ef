import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { TicketLabel } from '../../projects/shapes/labels.ts'
import { Closed, Done, Flag, Id, Text } from '../../scalars.ts'

export const setTicketNotification = {
  summary: "Turns the caller's notifications for the ticket on or off, also in an archived project and in the trash.",
  request: Closed({ idTicket: Id, Notify: Flag }),
  response: Done,
}

export const getTicketWatchers = {
  summary: 'The people who are mailed about the ticket, by name.',
  request: Closed({ idTicket: Id }),
  response: Type.Array(Type.Object({ idUser: Id, Login: Type.String(), Name: Type.String() })),
}
export const getMentionableUsers = {
  summary:
    'At most 8 people who may view the ticket and whose login, name or a word of it begins with the text, by name: for `@` in a comment or field.',
  request: Closed({ idTicket: Id, Text: Text(limits.personName) }),
  response: Type.Array(Type.Object({ idUser: Id, Login: Type.String(), Name: Type.String() })),
}
export const getTextNames = {
  summary:
    "Resolves the names in a ticket's texts: those of the given tickets that the caller may see, those of the given logins whose people may view this ticket, and those of the labels that its project offers. Case does not matter; a label may have hyphens for blanks. With `Outsiders: 1` also people of the organization who may not view this ticket, whom a mention does not reach.",
  request: Closed({
    idTicket: Id,
    Tickets: Type.Array(Id, { maxItems: limits.namesAtOnce }),
    Logins: Type.Array(Text(limits.login), { maxItems: limits.namesAtOnce }),
    Labels: Type.Optional(Type.Array(Text(limits.name), { maxItems: limits.namesAtOnce })),
    Outsiders: Type.Optional(Flag),
  }),
  response: Type.Object({
    Tickets: Type.Array(Type.Object({ id: Id, pcode: Type.String(), Title: Type.String() })),
    People: Type.Array(Type.Object({ idUser: Id, Login: Type.String(), Name: Type.String() })),
    /** Present when labels were asked for. */
    Labels: Type.Optional(Type.Array(TicketLabel)),
    /** Present when asked for. `Member`: of the project, without *View tickets*. */
    Outsiders: Type.Optional(Type.Array(Type.Object({ idUser: Id, Login: Type.String(), Name: Type.String(), Member: Flag }))),
  }),
}
export const setTicketWatcher = {
  summary:
    'Adds or removes a watcher: oneself always; others with *Edit tickets*, if they may view the ticket (422 `cannot_view`) and have not muted it.',
  request: Closed({ idTicket: Id, idUser: Id, Watch: Flag }),
  response: Done,
}

export const moveTicketWatchers = {
  summary:
    'Moves the watchers of a ticket to another one, such as the one that it duplicates. Needs *Edit tickets* on both. People who muted the other ticket or may not view it are not moved.',
  request: Closed({ idTicket: Id, idOther: Id }),
  response: Type.Object({ Success: Type.Literal(1), Moved: Type.Integer({ minimum: 0 }) }),
}
