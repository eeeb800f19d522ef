import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, Done, Flag, Id, Name, SomeIds, SortOrder } from '../../scalars.ts'
import { QueryText, Zone } from '../../tickets/shapes/query.ts'
import { ColumnName, Sort } from '../../tickets/shapes/tickets.ts'

const Layout = Type.Union([
  Type.Literal('tree'),
  Type.Literal('list'),
  Type.Literal('board'),
  Type.Literal('calendar'),
  Type.Literal('timeline'),
])
/** `private`: the owner's alone. `project`: of all who see the project. */
const Scope = Type.Union([Type.Literal('private'), Type.Literal('project')])
/** What the lanes of a board are by; 0 for none, 1 for the parent. */
const Lanes = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal('Assignee'), Type.Literal('Label')])
const Columns = Type.Array(ColumnName, { maxItems: limits.listColumns, uniqueItems: true })
const Sorts = Type.Array(Sort, { maxItems: limits.sortColumns })
/** The tickets of a tree whose children are shown. */
const Open = Type.Array(Id, { maxItems: limits.openTickets, uniqueItems: true })
/**
 * What tickets are grouped by: a column, or the database key of a field; '' for none. Of a calendar: the database key of its DATE field; '' for the usual
 * one. Of a timeline: the keys of two DATE fields, where its bars start and end, as `start..due`; '' for the usual ones.
 */
const Group = Type.String({ maxLength: 2 * limits.databaseKey + 2, pattern: '^([A-Za-z0-9_]*|[A-Za-z0-9_]+\\.\\.[A-Za-z0-9_]+)$' })

export const getViewList = {
  summary: "The project's saved views that the caller may open, in the caller's order; at most one is the default.",
  request: Closed({
    idProject: Id,
    /** 1: with `Total` for as many of the first 20 as can be counted within about half a second. */
    Counts: Type.Optional(Flag),
    Zone: Type.Optional(Zone),
  }),
  response: Type.Array(
    Type.Object({
      idView: Id,
      Name: Type.String(),
      Query: Type.String(),
      Columns,
      Sort: Sorts,
      Group: Type.String(),
      Layout,
      /** Absent without. */
      Lanes: Type.Optional(Lanes),
      /** Absent when none is open. */
      Open: Type.Optional(Open),
      Scope,
      /** 1 when the caller made it. */
      Mine: Flag,
      Default: Flag,
      /** Tickets that the query finds. */
      Total: Type.Optional(Type.Integer({ minimum: 0 })),
      /** Fields that the view names and the project does not have any more. */
      Gone: Type.Optional(Type.Array(Type.String())),
    }),
  ),
}
export const setView = {
  summary:
    "Saves a view, or with `idView` changes one. A shared view is changed by its creator or with *Manage project*; making a shared view the default needs *Manage project*. Another scope ends the default unless `Default` says otherwise. A name is unique among the shared views, and among the caller's own (422 `duplicate`).",
  request: Closed({
    idProject: Id,
    idView: Type.Optional(Id),
    /** Required for a new view. */
    Name: Type.Optional(Name()),
    Query: Type.Optional(QueryText),
    Columns: Type.Optional(Columns),
    Sort: Type.Optional(Sorts),
    Group: Type.Optional(Group),
    Layout: Type.Optional(Layout),
    /** A board by assignee cannot have lanes by assignee. */
    Lanes: Type.Optional(Lanes),
    Open: Type.Optional(Open),
    Scope: Type.Optional(Scope),
    /** As in `get-view-list`, so that its rows can be sent back; it is ignored. */
    Mine: Type.Optional(Flag),
    Default: Type.Optional(Flag),
  }),
  response: Type.Object({ Success: Type.Literal(1), idView: Id }),
}
export const setViewOrder = {
  summary: "Orders the views for the caller; other people's order stays.",
  request: Closed({ idProject: Id, SortOrder }),
  response: Done,
}
export const deleteViews = {
  summary: "Deletes views: the caller's own ones, and with *Manage project* any shared ones.",
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}
export const restoreViews = {
  summary: 'Restores deleted views, within a day; refused if the name has been reused (422 `duplicate`).',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}
