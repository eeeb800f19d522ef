import * as contract from '@tessera/contract/projects/saved-searches'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
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

  // A query that is not given may have been rewritten meanwhile: a label was renamed.
  const rows = await queryRows(db, { id: int8 })`
    insert into saved_search (organization_id, id, owner_id, name, query, shared)
    select ${organizationId}::bigint, coalesce(${before?.id ?? null}::bigint, nextval(pg_get_serial_sequence('saved_search', 'id'))),
      ${after.ownerId}::bigint, ${name}::text, ${query}::text, ${shared}::boolean
    on conflict (organization_id, id) do update set name = excluded.name, shared = excluded.shared,
      query = case when ${input.Query !== undefined} then excluded.query else saved_search.query end
    returning id`
  const id = rows[0]?.id as number
  await recordChanges(db, scope, searchChange(id, before ?? null, after))
  return { Success: 1 as const, idSearch: id }
})
