import * as Type from 'typebox'
import { limits } from '../limits.ts'
import { Closed, Done, Flag, Id, Name, SomeIds, SortOrder } from '../scalars.ts'
import { QueryText, Zone } from './query.ts'
import { ColumnName, Sort } from './tickets.ts'

const Layout = Type.Union([Type.Literal('tree'), Type.Literal('list'), Type.Literal('board')])
/** `private`: the owner's alone. `project`: of all who see the project. */
const Scope = Type.Union([Type.Literal('private'), Type.Literal('project')])
const Columns = Type.Array(ColumnName, { maxItems: limits.listColumns, uniqueItems: true })
const Sorts = Type.Array(Sort, { maxItems: limits.sortColumns })
/** What tickets are grouped by: a column, or the database key of a field; '' for none. */
const Group = Type.String({ maxLength: limits.databaseKey, pattern: '^[A-Za-z0-9_]*$' })

export const getViewList = {
  summary: "The project's saved views that the caller may open, in the caller's order; at most one is the default.",
  request: Closed({
    idProject: Id,
    /** 1: with `Total` for the first 20, and with `Gone`. */
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
    'Saves a view, or with `idView` changes one. A shared view is changed by who made it or with *Manage project*; to make a shared one the default needs *Manage project*. A name is given once among the shared views, and once among the own ones (422 `duplicate`).',
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
    Scope: Type.Optional(Scope),
    /** As `get-view-list` answers it, so that its rows can be sent back. Whose a view is does not change. */
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
  summary: 'Deletes views: own ones, and shared ones with *Manage project*.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}
export const restoreViews = {
  summary: 'Takes the deletion of views back, within a day; a name that was given again meanwhile refuses it (422 `duplicate`).',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}
