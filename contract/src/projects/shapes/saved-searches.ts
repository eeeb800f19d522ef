import * as Type from 'typebox'
import { Closed, Done, Empty, Flag, Id, Name, SomeIds } from '../../scalars.ts'
import { QueryText } from '../../tickets/shapes/query.ts'

/** `private`: the owner's alone. `organization`: of all its members; what it finds depends on the reader's rights. */
const Scope = Type.Union([Type.Literal('private'), Type.Literal('organization')])

export const getSearchList = {
  summary: "The saved searches over all projects of the organization: the caller's own by name, then those that others share, by name.",
  request: Empty,
  response: Type.Array(
    Type.Object({
      idSearch: Id,
      Name: Type.String(),
      Query: Type.String(),
      Scope,
      /** 1 when the caller made it. */
      Mine: Flag,
    }),
  ),
}
export const setSearch = {
  summary:
    "Saves a search, or with `idSearch` changes one. A shared search is changed by its creator or with *Organisation Admin*. A name is unique among the shared searches, and among the caller's private ones (422 `duplicate`).",
  request: Closed({
    idSearch: Type.Optional(Id),
    /** Required for a new search, like `Query`. */
    Name: Type.Optional(Name()),
    /** 400 where it is blank, cannot be parsed, or names a field that no project has which the caller may see. */
    Query: Type.Optional(QueryText),
    /** `private` unless given. */
    Scope: Type.Optional(Scope),
  }),
  response: Type.Object({ Success: Type.Literal(1), idSearch: Id }),
}
export const deleteSearches = {
  summary: "Deletes saved searches: the caller's own ones, and with *Organisation Admin* any shared ones.",
  request: Closed({ ids: SomeIds }),
  response: Done,
}
export const restoreSearches = {
  summary: 'Restores deleted searches, within a day; refused if the name has been reused (422 `duplicate`).',
  request: Closed({ ids: SomeIds }),
  response: Done,
}
