import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, Flag, Id, Phase, Text } from '../../scalars.ts'

/** As seen from the ticket that is asked about. */
const Kind = Type.Union([
  Type.Literal('blocks'),
  Type.Literal('blocked-by'),
  Type.Literal('duplicates'),
  Type.Literal('duplicated-by'),
  Type.Literal('relates'),
  Type.Literal('precedes'),
  Type.Literal('follows'),
])
export type LinkKind = Type.Static<typeof Kind>

const FarTicket = Type.Object({
  id: Id,
  pcode: Type.String(),
  Title: Type.String(),
  idState: Id,
  State: Type.String(),
  Phase,
  idProject: Id,
  /** Set for a ticket in the trash, which blocks nothing; only in links. */
  Trashed: Type.Optional(Type.Literal(1)),
})

export const findTickets = {
  summary:
    'At most 8 tickets of the organization that the caller may see: by key (`OPS-42` or `42`), then by words of the title, those of the same project first, then the newest.',
  request: Closed({ idTicket: Id, Text: Text(limits.ticketTitle) }),
  response: Type.Array(FarTicket),
}
export const getTicketLinks = {
  summary:
    "The ticket's links, by kind. `Ticket` is null if the caller may not see the other end. With `References: 1` also the newest 50 tickets whose comments or long texts name this one by its key, as `mentioned-in` and without `idLink`; those that the caller may not see are left out.",
  request: Closed({ idTicket: Id, References: Type.Optional(Flag) }),
  response: Type.Array(
    Type.Object({
      idLink: Type.Optional(Id),
      Kind: Type.Union([Kind, Type.Literal('mentioned-in')]),
      Ticket: Type.Union([FarTicket, Type.Null()]),
    }),
  ),
}
export const getLinksBetween = {
  summary: `The links \`blocks\` and \`precedes\` of which both ends are among these tickets of the project; tickets elsewhere are disregarded. At most ${limits.linksBetween}, the oldest first.`,
  request: Closed({
    idProject: Id,
    Tickets: Type.Array(Id, { minItems: 1, maxItems: limits.pageSizeMax, uniqueItems: true }),
  }),
  response: Type.Array(
    Type.Object({
      /** The ticket that blocks or precedes the other. */
      idFrom: Id,
      idTo: Id,
      Kind: Type.Union([Type.Literal('blocks'), Type.Literal('precedes')]),
    }),
  ),
}
export const setTicketLink = {
  summary:
    'Links two tickets of the organization that the caller may see; for an existing link it returns its id. 422 `same_ticket` for a ticket with itself. 409 `cycle` with `Path` if *blocks* or *precedes* would close a cycle.',
  request: Closed({ idTicket: Id, idOther: Id, Kind }),
  response: Type.Object({ Success: Type.Literal(1), idLink: Id }),
}
export const removeTicketLink = {
  summary: 'Removes a link; needs *Edit tickets* on one of its ends.',
  request: Closed({ idLink: Id }),
  response: Done,
}
