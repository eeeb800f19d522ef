import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Cursor, Flag, Id, IdInAddress, Text } from '../../scalars.ts'
import { QueryText, Zone } from './query.ts'
import { ColumnName, QueriedTicket, Sort } from './tickets.ts'

export const searchTickets = {
  summary:
    'Finds tickets in all projects that the caller may see, or in one. `Query` is in the query language. Without an order the best matches come first, of very many only the newest; `Sort` takes precedence over `sort:`. An invalid query is 400 `query` with `Position`, `Length` and the `Nearest` names. If there are few results, similar words are searched too and named in `Also`.',
  request: Closed({
    Query: QueryText,
    idProject: Type.Optional(Id),
    Zone: Type.Optional(Zone),
    /** As in `query-tickets`. 400 for a name that none of the searched projects has. */
    Columns: Type.Optional(Type.Array(ColumnName, { maxItems: limits.listColumns, uniqueItems: true })),
    Sort: Type.Optional(Type.Array(Sort, { maxItems: limits.sortColumns })),
    /** 1: with `Due` in each row. */
    Due: Type.Optional(Flag),
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax })),
    Cursor: Type.Optional(Cursor),
  }),
  response: Type.Object({
    Tickets: Type.Array(
      Type.Object({
        ...QueriedTicket.properties,
        idProject: Id,
        /** Its due date, `YYYY-MM-DD`; empty without one. */
        Due: Type.Optional(Type.String()),
        /** Where the words occur, when not all of them are in the title. */
        Snippet: Type.Optional(Type.Array(Type.Object({ Text: Type.String(), Mark: Flag }))),
      }),
    ),
    NextCursor: Type.Union([Type.String(), Type.Null()]),
    /** Tickets that match, on all pages. If it is not exact, there are more: only the newest 1,000 and those with all words in the title are returned; with an order, all. */
    Total: Type.Integer({ minimum: 0 }),
    TotalIsExact: Flag,
    /** Similar words that were searched for in addition to the given ones. */
    Also: Type.Optional(Type.Array(Type.String())),
  }),
}

export const exportTickets = {
  summary:
    'The tickets of a project that a query finds, as CSV (RFC 4180, UTF-8 with a byte order mark). `Columns` are those of `query-tickets`, separated by commas; `Sort` has the form `State.asc,Labels.desc` and takes precedence over the order of the query. A cell that a spreadsheet would read as a formula begins with an apostrophe.',
  request: Closed({
    idProject: IdInAddress,
    Query: Type.Optional(QueryText),
    Columns: Type.Optional(Type.String({ maxLength: 2000, pattern: '^[A-Za-z0-9_,]*$' })),
    Sort: Type.Optional(Type.String({ maxLength: 500, pattern: '^([A-Za-z0-9_]{1,64}[.](asc|desc)(,|$)){0,6}$' })),
    Zone: Type.Optional(Zone),
  }),
  response: Type.Any(),
}

export const suggestSearch = {
  summary: 'Completions at the caret of a query: names, their values, keys. `Text` replaces the query from `From` to `To`.',
  request: Closed({
    Query: Text(4 * limits.queryLength),
    Caret: Type.Integer({ minimum: 0, maximum: 4 * limits.queryLength }),
    idProject: Type.Optional(Id),
  }),
  response: Type.Array(
    Type.Object({
      Text: Type.String(),
      Label: Type.String(),
      From: Type.Integer({ minimum: 0 }),
      To: Type.Integer({ minimum: 0 }),
    }),
  ),
}
