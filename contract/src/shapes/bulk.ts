import * as Type from 'typebox'
import { limits } from '../limits.ts'
import { Closed, EpochSeconds, Flag, Id } from '../scalars.ts'
import { QueryText, Zone } from './query.ts'
import { queryTickets, setTicketData } from './tickets.ts'

const { idParent, Id: IdFilter, Title, Types, Phases, States, Subordinates, Labels: LabelFilter, Mine } = queryTickets.request.properties
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
  /** For a move to the trash: tickets below those that change, which go along. */
  Along: Type.Optional(Count),
  Refused,
  /** The first tickets that change, as people read it; of a long text the beginning. */
  Rows: Type.Array(Type.Object({ id: Id, Changes: Type.Array(Type.Object({ Field: Type.String(), Before: Text, After: Text })) })),
  NextCursor: Text,
}

export const previewBulkChange = {
  summary: `Says what a change would do to many tickets (at most ${limits.bulkTickets}), named, or found by a query and the filters of a list; changes nothing. \`idPreview\` with \`Cursor\` answers the next rows of an earlier preview. Each part of the change needs its own permission.`,
  request: Closed({
    idProject: Id,
    /** Either these, or those that the query and the filter find. */
    Tickets: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.list, uniqueItems: true })),
    Query: Type.Optional(QueryText),
    /** As in `query-tickets`. */
    Filter: Type.Optional(Closed({ idParent, Id: IdFilter, Title, Types, Phases, States, Subordinates, Labels: LabelFilter, Mine })),
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
  summary:
    'Carries a preview out, as one change set. Tickets that were changed since are left alone. The second time answers the same; after an interruption it goes on where it stopped.',
  request: Closed({ idPreview: Id }),
  response: Type.Object({ Success: Type.Literal(1), ...done }),
}

export const getChangeSetList = {
  summary: `Changes of many tickets in the project, the latest first, at most ${limits.changeSets} in one answer: bulk changes, imports, what brought something deleted back, and what was taken back.`,
  request: Closed({
    idProject: Id,
    /** Only what was done before this one. */
    Before: Type.Optional(Id),
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.changeSets })),
  }),
  response: Type.Array(
    Type.Object({
      idChangeSet: Id,
      What: Type.Union([Type.Literal('bulk'), Type.Literal('import'), Type.Literal('restore'), Type.Literal('revert')]),
      /** Empty for an import by nobody in particular. */
      By: Type.String(),
      At: EpochSeconds,
      Tickets: Count,
      Reverted: Flag,
      /** 0: what was brought back is a state, label, role or the like, which is deleted again where it was. */
      OfTickets: Flag,
      /** Why the caller may not take it back: a permission that is missing. */
      Refused: Type.Optional(Type.String()),
      /** What was changed, as people read it, told from some hundred of its changes; nothing for an import. */
      Changes: Type.Array(
        Type.Object({
          Field: Type.String(),
          /** `varies`: not the same for all tickets. Labels, assignees and the trash are added to or removed from. */
          How: Type.Union([Type.Literal('set'), Type.Literal('varies'), Type.Literal('added'), Type.Literal('removed')]),
          Value: Text,
        }),
      ),
      /** Some of its tickets. */
      Some: Type.Array(Id),
    }),
  ),
}

export const revertChangeSet = {
  summary: `Takes a bulk change, an import or the return of tickets from the trash back, or with \`Preview\` says what that would do; for ${limits.revertDays} days. The tickets of an import or from the trash go to the trash. What was changed since stays and is named. It is a change set itself and can be taken back. The second time answers the same.`,
  request: Closed({
    idChangeSet: Id,
    Preview: Type.Optional(Type.Literal(1)),
    Cursor: Type.Optional(Cursor),
    /** Tickets of an import that go to the trash although they were changed since. */
    Also: Type.Optional(Type.Array(Id, { maxItems: limits.list, uniqueItems: true })),
  }),
  /** With `Preview` as `preview-bulk-change`, else as `apply-bulk-change`. */
  response: Type.Object({
    ...Type.Partial(Type.Object(foreseen)).properties,
    Success: Type.Optional(Type.Literal(1)),
    idChangeSet: Type.Optional(done.idChangeSet),
    Changed: Count,
    Skipped: Type.Optional(Skipped),
  }),
}
