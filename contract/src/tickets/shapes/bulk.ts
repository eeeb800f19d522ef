import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Flag, Id } from '../../scalars.ts'
import { ListedChangeSet } from './change-sets.ts'
import { QueryText, Zone } from './query.ts'
import { queryTickets, setTicketData } from './tickets.ts'

const { idParent, Id: IdFilter, Title, Types, Phases, States, Subordinates, Labels: LabelFilter, Mine } = queryTickets.request.properties
const { State, idTemplate, data, TicketAssign, Labels } = setTicketData.request.properties
const Change = Closed({
  State,
  idTemplate,
  data,
  TicketAssign,
  Labels,
  idParent: Type.Optional(Type.Union([Id, Type.Null()])),
  /** Cannot be combined with another change. */
  Trash: Type.Optional(Type.Literal(1)),
  /** Whether the caller watches the tickets. */
  Watch: Type.Optional(Flag),
})

const Refused = Type.Array(Type.Object({ Reason: Type.String(), Tickets: Type.Array(Id) }))
const Skipped = Type.Array(Type.Object({ id: Id, Reason: Type.String() }))
/** Titles of the tickets in `Rows`, and of the first ones of each reason, without those that are gone. */
const Titles = Type.Optional(Type.Array(Type.Object({ id: Id, Title: Type.String() })))
const Cursor = Type.String({ maxLength: 9, pattern: '^[0-9]{1,9}$' })
const Count = Type.Integer({ minimum: 0 })
const Text = Type.Union([Type.String(), Type.Null()])
const preview = {
  Total: Count,
  Changed: Count,
  Same: Count,
  /** For a move to the trash: the number of descendants that go with the tickets. */
  Along: Type.Optional(Count),
  Refused,
  /** The first tickets that change, in readable form; of a long text only the beginning. */
  Rows: Type.Array(Type.Object({ id: Id, Changes: Type.Array(Type.Object({ Field: Type.String(), Before: Text, After: Text })) })),
  Titles,
  NextCursor: Text,
}

export const previewBulkChange = {
  summary: `Previews a change of many tickets (at most ${limits.bulkTickets}), given by ids or found by a query and the filters of a list; changes nothing. \`idPreview\` with \`Cursor\` returns the next rows of an earlier preview. Each part of the change needs its own permission.`,
  request: Closed({
    idProject: Id,
    /** Either these tickets, or those that the query and the filter find. */
    Tickets: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.list, uniqueItems: true })),
    Query: Type.Optional(QueryText),
    /** As in `query-tickets`. */
    Filter: Type.Optional(Closed({ idParent, Id: IdFilter, Title, Types, Phases, States, Subordinates, Labels: LabelFilter, Mine })),
    Zone: Type.Optional(Zone),
    Change: Type.Optional(Change),
    idPreview: Type.Optional(Id),
    Cursor: Type.Optional(Cursor),
  }),
  response: Type.Object({ idPreview: Id, ...preview }),
}

const done = {
  /** Null when nothing has changed. What somebody watches has no history, and only they can revert it. */
  idChangeSet: Type.Union([Id, Type.Null()]),
  Changed: Count,
  /** Tickets that were not changed, or only in part, and why; includes those that changed since the preview. */
  Skipped,
  Titles,
  /** Only after `stop-bulk-change`: how many tickets were not reached. They are not in `Skipped`. */
  Stopped: Type.Optional(Count),
}
export const applyBulkChange = {
  summary:
    'Applies a preview, as one change set. Tickets that were changed since are left alone. A repeated call gets the same answer; after an interruption it continues from there.',
  request: Closed({ idPreview: Id }),
  response: Type.Object({ Success: Type.Literal(1), ...done }),
}

const run = Closed({
  idProject: Id,
  /** The preview of a bulk change. Either this or `idChangeSet`. */
  idPreview: Type.Optional(Id),
  /** The change set that is being reverted: the caller's latest revert of it. */
  idChangeSet: Type.Optional(Id),
})
export const getBulkProgress = {
  summary: 'How far a bulk change or a revert of the caller has come. Other people’s are answered 404.',
  request: run,
  response: Type.Object({
    /** How many tickets it is to change; for a revert those that it looks at. */
    Total: Count,
    /** How many of them are done. */
    Done: Count,
    /** How many of those were changed. */
    Changed: Count,
    /** Complete or stopped. */
    Ended: Flag,
  }),
}
export const stopBulkChange = {
  summary:
    'Ends a bulk change or a revert of the caller after the step that is being written. What was done stays, as one change set that can be reverted; the rest of a revert is left to another revert of the same set. The call that applies it answers with `Stopped`. Nothing happens if it has ended already.',
  request: run,
  response: Type.Object({ Success: Type.Literal(1) }),
}

export const getChangeSetList = {
  summary: `Changes of many tickets in the project, the latest first, at most ${limits.changeSets} in one answer: bulk changes, imports, restored deletions, and reverts.`,
  request: Closed({
    idProject: Id,
    /** Only change sets before this one. */
    Before: Type.Optional(Id),
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.changeSets })),
  }),
  response: Type.Array(
    Type.Object({
      idChangeSet: Id,
      ...ListedChangeSet.properties,
      /** Empty for an import without a known user. */
      By: Type.String(),
      /** What was changed, in readable form, based on a sample of its changes; empty for an import. */
      Changes: Type.Array(
        Type.Object({
          Field: Type.String(),
          /** `varies`: not the same for all tickets. `added` and `removed` are for labels, assignees and the trash. */
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
  summary: `Reverts a bulk change, an import or a restore from the trash, or with \`Preview\` says what that would do; for ${limits.revertDays} days. Imported and restored tickets go to the trash. Values that were changed since stay and are named. A revert is a change set itself and can be reverted. A repeated call gets the same answer; after \`stop-bulk-change\` it reverts what is left.`,
  request: Closed({
    idChangeSet: Id,
    Preview: Type.Optional(Type.Literal(1)),
    Cursor: Type.Optional(Cursor),
    /** Tickets of an import to move to the trash even though they were changed since. */
    Also: Type.Optional(Type.Array(Id, { maxItems: limits.list, uniqueItems: true })),
  }),
  /** With `Preview` as `preview-bulk-change`, else as `apply-bulk-change`. */
  response: Type.Object({
    ...Type.Partial(Type.Object(preview)).properties,
    Success: Type.Optional(Type.Literal(1)),
    idChangeSet: Type.Optional(done.idChangeSet),
    Changed: Count,
    Skipped: Type.Optional(Skipped),
    Stopped: done.Stopped,
  }),
}
