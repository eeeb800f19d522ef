import * as Type from 'typebox'
import { limits } from '../limits.ts'
import { Closed, EpochSeconds, Flag, Id } from '../scalars.ts'
import { QueryText, Zone } from './query.ts'
import { setTicketData } from './tickets.ts'

const { State, data, TicketAssign, Labels } = setTicketData.request.properties
const Change = Closed({
  State,
  data,
  TicketAssign,
  Labels,
  idParent: Type.Optional(Type.Union([Id, Type.Null()])),
  /** Alone: a ticket that goes to the trash takes no other change. */
  Trash: Type.Optional(Type.Literal(1)),
  /** Whether the caller is told of the tickets. */
  Watch: Type.Optional(Flag),
})

const Refused = Type.Array(Type.Object({ Reason: Type.String(), Tickets: Type.Array(Id) }))
const Skipped = Type.Array(Type.Object({ id: Id, Reason: Type.String() }))
const Cursor = Type.String({ maxLength: 9, pattern: '^[0-9]{1,9}$' })
const Count = Type.Integer({ minimum: 0 })
const Text = Type.Union([Type.String(), Type.Null()])
const foreseen = {
  Total: Count,
  Changed: Count,
  Same: Count,
  Refused,
  /** The first tickets that change, as people read it. */
  Rows: Type.Array(Type.Object({ id: Id, Changes: Type.Array(Type.Object({ Field: Type.String(), Before: Text, After: Text })) })),
  NextCursor: Text,
}

export const previewBulkChange = {
  summary: `Says what a change would do to many tickets (at most ${limits.bulkTickets}), named or found by a query; changes nothing. \`idPreview\` with \`Cursor\` answers the next rows of an earlier preview. Each part of the change needs its own permission.`,
  request: Closed({
    idProject: Id,
    /** Either these, or those that the query finds. */
    Tickets: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.list, uniqueItems: true })),
    Query: Type.Optional(QueryText),
    Zone: Type.Optional(Zone),
    Change: Type.Optional(Change),
    idPreview: Type.Optional(Id),
    Cursor: Type.Optional(Cursor),
  }),
  response: Type.Object({ idPreview: Id, ...foreseen }),
}

const done = {
  /** Null when no ticket has changed. Watching is no change of a ticket and has no history. */
  idChangeSet: Type.Union([Id, Type.Null()]),
  Changed: Count,
  /** Those that were not changed, or not wholly, and why: also those that changed since the preview. */
  Skipped,
}
export const applyBulkChange = {
  summary: 'Carries a preview out, as one change set. Tickets that were changed since are left alone. The second time answers the same.',
  request: Closed({ idPreview: Id }),
  response: Type.Object({ Success: Type.Literal(1), ...done }),
}

export const getChangeSetList = {
  summary: `The latest ${limits.changeSets} changes of many tickets in the project, the latest first: bulk changes, imports, what brought something deleted back, and what was taken back.`,
  request: Closed({ idProject: Id }),
  response: Type.Array(
    Type.Object({
      idChangeSet: Id,
      What: Type.Union([Type.Literal('bulk'), Type.Literal('import'), Type.Literal('restore'), Type.Literal('revert')]),
      /** Empty for an import by nobody in particular. */
      By: Type.String(),
      At: EpochSeconds,
      Tickets: Count,
      Reverted: Flag,
    }),
  ),
}

export const revertChangeSet = {
  summary: `Takes a bulk change back, or with \`Preview\` says what that would do; for ${limits.revertDays} days. What was changed since stays and is named. It is a change set itself and can be taken back.`,
  request: Closed({ idChangeSet: Id, Preview: Type.Optional(Type.Literal(1)), Cursor: Type.Optional(Cursor) }),
  /** With `Preview` as `preview-bulk-change`, else as `apply-bulk-change`. */
  response: Type.Object({
    ...Type.Partial(Type.Object(foreseen)).properties,
    Success: Type.Optional(Type.Literal(1)),
    idChangeSet: Type.Optional(done.idChangeSet),
    Changed: Count,
    Skipped: Type.Optional(Skipped),
  }),
}
