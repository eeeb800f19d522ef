import * as contract from '@tessera/contract/projects/saved-searches'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { changeableSearches, lockSearches, requireFewerSearches, requireFreeName, searchChange, visibleSearches } from './queries.ts'

export const restoreSearches = implement(contract.restoreSearches, async ({ db, scope: asked, input }) => {
  const scope = await lockSearches(db, asked)
  const [present, deleted] = [await visibleSearches(db, scope), await visibleSearches(db, scope, true)]
  // Searches that were already restored stay as they are.
  const searches = changeableSearches(scope, [...present, ...deleted], input.ids).filter(search => deleted.includes(search))
  for (const search of searches) {
    requireFreeName(present, search)
    requireFewerSearches(scope, present, search)
    present.push(search)
  }
  await sql`
    update saved_search set deleted_at = null
    where organization_id = ${scope.organizationId} and id = any(${searches.map(({ id }) => id)})`.execute(db)
  await recordChanges(
    db,
    scope,
    searches.flatMap(search => searchChange(search.id, null, search)),
  )
  return { Success: 1 as const }
})
