import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Cursor, Id, Phase, SomeIds, Text } from '../../scalars.ts'
import { QueryText, Zone } from './query.ts'
import { QueriedTicket, queryTickets, setTicketData } from './tickets.ts'

const filters = queryTickets.request.properties

/** The id of a state or person, the value of a field's option; '' for tickets that have none. */
const Value = Type.Union([Id, Text(limits.name)])
const IdOrNull = Type.Union([Id, Type.Null()])

export const queryBoard = {
  summary:
    "The project's tickets, or those that a query finds, in columns: by state, by a SELECT field's options, or by assignee. Each column has its first tickets in the order of the board, at most `Limit` of each and about 2,000 in all: a board of many columns has fewer of each, but at least 5; `Value` with `Cursor` returns the next ones of one column. With `Tickets` only those are returned, each with the ticket before it in its column, `After`; a column's total still counts all. With lanes by assignee or label a column has a ticket once for each lane that it is in, and still counts it once.",
  request: Closed({
    idProject: Id,
    /** The filters and `Columns` are those of `query-tickets`. */
    Id: filters.Id,
    Title: filters.Title,
    Types: filters.Types,
    Phases: filters.Phases,
    States: filters.States,
    Subordinates: filters.Subordinates,
    Labels: filters.Labels,
    Mine: filters.Mine,
    Columns: filters.Columns,
    Query: Type.Optional(QueryText),
    Zone: Type.Optional(Zone),
    /** `State`, `Assignee`, or the database key of a SELECT field. */
    Group: Type.String({ maxLength: limits.databaseKey, pattern: '^[A-Za-z0-9_]{1,64}$' }),
    /**
     * Within a column, the tickets of one lane together, those that are in no lane last. A lane is a parent, in the order of the board; a person, by name, but not
     * on a board by assignee; or a label, by name.
     */
    Lanes: Type.Optional(Type.Union([Type.Literal('Parent'), Type.Literal('Assignee'), Type.Literal('Label')])),
    Tickets: Type.Optional(SomeIds),
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.boardColumn })),
    Value: Type.Optional(Value),
    Cursor: Type.Optional(Cursor),
  }),
  response: Type.Object({
    Columns: Type.Array(
      Type.Object({
        Value,
        Label: Type.String(),
        Phase: Type.Optional(Phase),
        Total: Type.Integer({ minimum: 0 }),
        /** How many tickets the state should have at most; absent without a limit. */
        Limit: Type.Optional(Type.Integer()),
        /** 1 if no ticket may be moved to a state that has reached its limit, whatever the filters show; absent otherwise. */
        LimitHolds: Type.Optional(Type.Literal(1)),
        Tickets: Type.Array(
          Type.Object({
            ...QueriedTicket.properties,
            idProject: Id,
            /** With `Lanes`: the parent, person or label of the lane that it is in here; null without one. */
            Lane: Type.Optional(IdOrNull),
            /** The ticket before it in its column, null for the first; only in answers to `Tickets`. */
            After: Type.Optional(IdOrNull),
            /** With `Lanes`: the lane in which that ticket is before it. */
            AfterLane: Type.Optional(IdOrNull),
          }),
        ),
        NextCursor: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    /** With `Lanes`: the parents, people or labels of all matching tickets, in their order; null for tickets without one. */
    Lanes: Type.Optional(Type.Array(IdOrNull)),
  }),
}

const { idTicket, State, data, TicketAssign, Labels, Version } = setTicketData.request.properties
export const moveOnBoard = {
  summary:
    'Moves a ticket on the board: saves its changes, as `set-ticket-data` does, and puts it behind another ticket, or with `After: null` first; both or none. A move without a change needs *Edit tickets*.',
  request: Closed({ idTicket, State, data, TicketAssign, Labels, Version, After: Type.Optional(IdOrNull) }),
  response: setTicketData.response,
}
