import * as contract from '@tessera/contract/projects/saved-searches'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, invalid } from '../../../lib/failure.ts'
import { requireReadable } from '../query/read-query.ts'
import { changeableSearches, lockSearches, requireFewerSearches, requireFreeName, searchChange, visibleSearches } from './queries.ts'

export const setSearch = implement(contract.setSearch, async ({ db, scope: asked, input }) => {
  const scope = await lockSearches(db, asked)
  const { organizationId, userId } = scope
  const searches = await visibleSearches(db, scope)
  const [before] = input.idSearch === undefined ? [] : changeableSearches(scope, searches, [input.idSearch])
  const { Name: name = before?.name, Query: query = before?.query } = input
  if (name === undefined) throw invalid('Name', 'is required for a new search')
  if (query === undefined) throw invalid('Query', 'is required for a new search')
  if (query.trim() === '') throw invalid('Query', 'must not be blank')
  const shared = input.Scope === undefined ? (before?.shared ?? false) : input.Scope === 'organization'
  const after = { ownerId: before?.ownerId ?? userId, name, query, shared }
  // A search that others already use cannot become private.
  if (before?.shared && !shared && before.ownerId !== userId)
    throw new Failure('rule', 'Only the person who made a shared search can make it private')
  // The stored query may name a field that no longer exists.
  if (query !== before?.query) await requireReadable(db, scope, query)
  requireFreeName(searches, after, before?.id)
  if (before?.shared !== shared) requireFewerSearches(scope, searches, after)

  let id = before?.id
  if (id === undefined) {
    const made = { organization_id: organizationId, owner_id: userId, name, query, shared }
    id = (await db.insertInto('saved_search').values(made).returning('id').executeTakeFirstOrThrow()).id
  } else {
    // A query that is not given may have been rewritten meanwhile: a label was renamed.
    const given = input.Query !== undefined && { query }
    await db
      .updateTable('saved_search')
      .set({ name, shared, ...given })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute()
  }
  await recordChanges(db, scope, searchChange(id, before ?? null, after))
  return { Success: 1 as const, idSearch: id }
})
