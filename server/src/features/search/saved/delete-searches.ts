import * as contract from '@tessera/contract/projects/saved-searches'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { changeableSearches, lockSearches, searchChange, visibleSearches } from './queries.ts'

export const deleteSearches = implement(contract.deleteSearches, async ({ db, scope: asked, input }) => {
  const scope = await lockSearches(db, asked)
  const searches = changeableSearches(scope, await visibleSearches(db, scope), input.ids)
  // A deletion can be undone for a day.
  await sql`
    delete from saved_search where organization_id = ${scope.organizationId} and deleted_at < now() - interval '1 day'`.execute(db)
  await sql`
    update saved_search set deleted_at = now() where organization_id = ${scope.organizationId} and id = any(${input.ids})`.execute(db)
  await recordChanges(
    db,
    scope,
    searches.flatMap(search => searchChange(search.id, search, null)),
  )
  return { Success: 1 as const }
})
