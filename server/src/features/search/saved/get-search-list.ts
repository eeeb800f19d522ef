import * as contract from '@tessera/contract/projects/saved-searches'
import { implement } from '../../../http/implement.ts'
import { visibleSearches } from './queries.ts'

export const getSearchList = implement(contract.getSearchList, async ({ db, scope }) => {
  const searches = await visibleSearches(db, scope)
  return searches.map(({ id, name, query, shared, ownerId }) => ({
    idSearch: id,
    Name: name,
    Query: query,
    Scope: shared ? ('organization' as const) : ('private' as const),
    Mine: ownerId === scope.userId ? (1 as const) : (0 as const),
  }))
})
