import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { TicketLabel } from '../../projects/shapes/labels.ts'
import {
  Closed,
  Cursor,
  EpochSeconds,
  FieldOption,
  FieldValues,
  Flag,
  Id,
  Ids,
  Line,
  Phase,
  SomeIds,
  Text,
  Version,
} from '../../scalars.ts'
import { ListedChangeSet } from './change-sets.ts'
import { QueryText, Zone } from './query.ts'

const PhaseCount = Type.Integer({ minimum: 0 })

/** A row of the ticket list. The counts are of direct children. */
export const TicketListItem = Type.Object({
  id: Id,
  pcode: Type.String(),
  Type: Type.String(),
  Phase,
  State: Type.String(),
  Title: Type.String(),
  /** 1 when the caller holds a role on the ticket. */
  UserAssigned: Flag,
  SubordinateProposedCount: PhaseCount,
  SubordinateActiveCount: PhaseCount,
  SubordinateInactiveCount: PhaseCount,
  idParent: Type.Union([Id, Type.Null()]),
  Labels: Type.Array(TicketLabel),
})
export type TicketListItem = Type.Static<typeof TicketListItem>

export const getTicketList = {
  summary: "The project's root tickets, or one ticket's children; the newest first.",
  request: Closed({ idProject: Id, idParent: Type.Optional(Id) }),
  response: Type.Array(TicketListItem),
}
/** `Assignees`, `Labels`, `Created`, `Updated`, `Parent`, `Watched`, or the database key of a field. */
export const ColumnName = Type.String({ maxLength: limits.databaseKey, pattern: '^[A-Za-z0-9_]{1,64}$' })
export const Sort = Closed({
  /** `ID`, `Type`, `Phase`, `State`, or a column that `Columns` may name. */
  Column: ColumnName,
  Direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
})
/** The id of a state, template or person, the value of a field, or null for tickets without one. */
const GroupValue = Type.Union([Id, Type.String(), Type.Null()])
/** A row of `query-tickets`; `Path` names its ancestors from the root down, only when the list is filtered. */
export const QueriedTicket = Type.Object({
  ...TicketListItem.properties,
  /** 1 while a ticket that is not inactive blocks it. */
  Blocked: Flag,
  Path: Type.Optional(Type.Array(Type.Object({ id: Id, Title: Type.String() }))),
  /**
   * The values of the requested columns, by name. `Assignees`: `[{idUser, Name, Role}]`, `Labels` as in the row, `Created` and `Updated` in seconds,
   * `Parent`: `{id, pcode, Title}` or null, `Watched`: 1 when the caller is mailed about it, a field: the beginning of its value, empty without one.
   */
  Values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** It is in the trash: only a query with `is:trashed` finds it. */
  Trashed: Type.Optional(Type.Literal(1)),
  /** The `Value` of its group, when the list is grouped. */
  Group: Type.Optional(GroupValue),
})
export type QueriedTicket = Type.Static<typeof QueriedTicket>

export const queryTickets = {
  summary: "Without a filter: the root tickets, or one ticket's children. With a filter: the matching tickets at every depth. By page.",
  request: Closed({
    idProject: Id,
    idParent: Type.Optional(Type.Union([Id, Type.Null()])),
    /** The children of all these tickets, instead of one ticket's. Ids that are not tickets of the project are ignored. */
    idParents: Type.Optional(SomeIds),
    /** Matches within `{ShortCode}-{id}`, ignoring case. */
    Id: Type.Optional(Text(64)),
    /** Matches within the title, ignoring case. */
    Title: Type.Optional(Text(limits.ticketTitle)),
    /** Ids of templates. */
    Types: Type.Optional(Ids),
    Phases: Type.Optional(Type.Array(Phase, { maxItems: 3 })),
    /** Ids of states. */
    States: Type.Optional(Ids),
    /** Tickets that have a direct child in one of these phases. */
    Subordinates: Type.Optional(Type.Array(Phase, { maxItems: 3 })),
    /** Ids of labels: tickets that carry one of them. */
    Labels: Type.Optional(Ids),
    /** 1: only tickets on which the caller holds a role. */
    Mine: Type.Optional(Flag),
    /** 400 for a name that the project does not have. */
    Columns: Type.Optional(Type.Array(ColumnName, { maxItems: limits.listColumns, uniqueItems: true })),
    /** In the query language; together with the other filters. */
    Query: Type.Optional(QueryText),
    Zone: Type.Optional(Zone),
    /**
     * `State`, `Type`, `Assignee`, or the database key of a SELECT field: the list is ordered by it before `Sort`. A ticket with several assignees is in
     * the group of the first by name.
     */
    Group: Type.Optional(ColumnName),
    Sort: Type.Optional(Type.Array(Sort, { maxItems: limits.sortColumns })),
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax })),
    Cursor: Type.Optional(Cursor),
  }),
  response: Type.Object({
    Tickets: Type.Array(QueriedTicket),
    NextCursor: Type.Union([Type.String(), Type.Null()]),
    /** Tickets that match, on all pages. */
    Total: Type.Integer({ minimum: 0 }),
    /** When the list is grouped, the groups that have tickets, in their order. */
    Groups: Type.Optional(
      Type.Array(
        Type.Object({ Value: GroupValue, Label: Type.String(), Phase: Type.Optional(Phase), Total: Type.Integer({ minimum: 1 }) }),
      ),
    ),
  }),
}

const Choice = Type.Object({ id: Id, Description: Type.String() })

/** A ticket's value for one field of its template, as text: MULTISELECT is a JSON list, CHECKBOX `1` or empty, DATE `YYYY-MM-DD`, USER the id of a member. */
export const TicketField = Type.Object({
  Key: Type.String(),
  Label: Type.String(),
  Value: Type.String(),
  /** One of the property types; a screen that does not know it says so. */
  Renderer: Type.String(),
  /** The choices of a SELECT, MULTISELECT or USER field. In a project of more than 100 members a USER field has only its own person: `get-project-user-list` has the others. */
  FieldProps: Type.Array(FieldOption),
})
export type TicketField = Type.Static<typeof TicketField>

export const getTicketData = {
  summary: 'One ticket with all its data.',
  request: Closed({ idTicket: Id }),
  response: Type.Object({
    idTicket: Id,
    idProject: Id,
    ProjectTitle: Type.String(),
    pcode: Type.String(),
    idParent: Type.Union([Id, Type.Null()]),
    Created: EpochSeconds,
    /** The name of its creator; for an imported ticket, of the reporter. */
    CreatedBy: Type.Optional(Type.String()),
    /** The key that an imported ticket had in the other tracker: `TIMOB-28560`. */
    OriginalKey: Type.Optional(Type.String()),
    Type: Type.String(),
    idTemplate: Id,
    /** The types that the ticket may get instead, in their order; absent without any. */
    OtherTypes: Type.Optional(Type.Array(Choice)),
    Assignees: Type.Array(Type.Object({ idUser: Id, idRole: Id, Name: Type.String(), Role: Type.String() })),
    State: Type.String(),
    idState: Id,
    Phase,
    /** The states this ticket may go to, without its current one. */
    OutputStates: Type.Array(Choice),
    Attachments: Type.Array(Type.Object({ id: Id, name: Type.String() })),
    /** The size in pixels of those that are pictures; absent without any. */
    Pictures: Type.Optional(Type.Array(Type.Object({ id: Id, Width: Type.Integer({ minimum: 1 }), Height: Type.Integer({ minimum: 1 }) }))),
    /** Those that the caller added; absent without any. */
    OwnAttachments: Type.Optional(Type.Array(Id)),
    Labels: Type.Array(TicketLabel),
    Title: Type.String(),
    Fields: Type.Array(TicketField),
    NotificationSubscription: Flag,
    /** The people who are mailed about the ticket, by name. */
    Watchers: Type.Array(Type.Object({ idUser: Id, Name: Type.String() })),
    /** 1 while a ticket that is not inactive blocks it. */
    Blocked: Flag,
    /** Grows by one with each save; send it back so that conflicts are detected. */
    Version: Type.Integer(),
    /** Permission types the caller holds in this project. */
    Permissions: Type.Array(Id),
    /** The ticket is in the trash and cannot be changed. */
    Trashed: Type.Optional(Type.Literal(1)),
  }),
}

export const setTicketData = {
  summary:
    'Saves changes: all parts or none. With `Version`, a field that somebody else has changed since is answered 409 with its current value; other fields are merged. Title, idTemplate, data and Labels need *Edit tickets*, State *Change state*, TicketAssign *Assign people*.',
  request: Closed({
    idTicket: Id,
    /** Another type, of those that new tickets may have. The state stays, and so do values whose fields it lacks: they are shown again with a type that has them. */
    idTemplate: Type.Optional(Id),
    /** New values by field key: of the fields that the ticket shows, or will show with the new type. */
    data: Type.Optional(FieldValues),
    State: Type.Optional(Id),
    Title: Type.Optional(Line(limits.ticketTitle)),
    TicketAssign: Type.Optional(Type.Array(Closed({ idUser: Id, idRole: Id, Enabled: Flag }), { maxItems: limits.list })),
    Labels: Type.Optional(Type.Array(Closed({ idLabel: Id, Enabled: Flag }), { maxItems: limits.labels * 2 })),
    Version: Type.Optional(Version),
  }),
  response: Type.Object({
    Success: Type.Literal(1),
    /** Of the ticket after the save; when there was nothing to change, no higher than the one in the request. */
    Version: Type.Integer(),
    /** The new choice of output states, when the state changed. */
    States: Type.Optional(Type.Array(Choice)),
  }),
}

export const createNewTicket = {
  summary:
    "Creates a ticket in its template's initial state, with the template's defaults and children in the same change set; returns `[idTicket]`. Without a title it gets the template's.",
  request: Closed({
    idProject: Id,
    idTemplate: Id,
    Title: Type.Optional(Line(limits.ticketTitle)),
    idParent: Type.Optional(Id),
    /** Values by field key, of the template's fields; they replace its defaults. */
    data: Type.Optional(FieldValues),
  }),
  response: Type.Array(Id),
}

export const getTicketByKey = {
  summary: 'The ticket with this key, its own (`OPS-42`) or that of the tracker it was imported from; null if the caller may not see any.',
  request: Closed({ Key: Text(250) }),
  response: Type.Object({ idTicket: Type.Union([Id, Type.Null()]) }),
}

export const getTicketHistory = {
  summary:
    'What changed, the latest first, by page. `Field` is `Title`, `Type`, `State`, `Parent`, `Assignee`, `Attachment`, `Comment`, `Label`, `Link`, `Trash`, `Ticket` or `data.{Key}`.',
  request: Closed({ idTicket: Id, Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })), Cursor: Type.Optional(Id) }),
  response: Type.Object({
    Changes: Type.Array(
      Type.Object({
        id: Id,
        idChangeSet: Id,
        DateChanged: EpochSeconds,
        Author: Type.String(),
        Field: Type.String(),
        /** The field's name as a person reads it. */
        Label: Type.String(),
        Before: Type.Union([Type.String(), Type.Null()]),
        After: Type.Union([Type.String(), Type.Null()]),
        /** What RESTORE THIS VALUE sends: the `before` value as `set-ticket-data` takes it; null where it cannot be restored. */
        Restorable: Type.Union([Type.String(), Type.Null()]),
        /** The change set, if the project lists it as a change of many tickets: it can be reverted as a whole with `revert-change-set`. */
        Set: Type.Optional(ListedChangeSet),
      }),
    ),
    NextCursor: Type.Union([Id, Type.Null()]),
  }),
}
