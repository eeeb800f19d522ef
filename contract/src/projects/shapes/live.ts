import * as Type from 'typebox'
import { Closed, Id } from '../../scalars.ts'

export const events = {
  summary:
    'What others change in the projects the caller may see, as server-sent events: `change` with a `LiveEvent`, `resync` when events may have been missed or, for those who manage the organization, its people or projects changed, `end` when the session is over.',
  /** How long ago the page began to read its data, in milliseconds: changes since then are sent first. */
  request: Closed({ behind: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })) }),
  response: Type.Any(),
}

/** The data of a `change` event: what to refetch. */
export const LiveEvent = Type.Object({
  idProject: Id,
  /** Absent when it is not about one ticket, or about a new one. */
  idTicket: Type.Optional(Id),
  /** The call that made the change, such as `set-ticket-data`. */
  kind: Type.String(),
})
export type LiveEvent = Type.Static<typeof LiveEvent>
