import * as contract from '@tessera/contract/projects/views'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { recordChanges } from '../../lib/changes.ts'
import { chosen, lockViews, requireChangeable, requireFewerViews, requireFreeName, viewChange, visibleViews } from './queries.ts'

export const restoreViews = implement(contract.restoreViews, async ({ db, scope: asked, input, tellEverybody }) => {
  const scope = await lockViews(db, asked)
  const [present, deleted] = [await visibleViews(db, scope), await visibleViews(db, scope, true)]
  // Views that were already restored stay as they are.
  const views = chosen([...present, ...deleted], input.ids).filter(view => deleted.includes(view))
  for (const view of views) {
    requireChangeable(scope, view)
    requireFreeName(present, view)
    requireFewerViews(scope, present, view)
    present.push(view)
  }
  const restored = views.map(view => view.id)
  await sql`
    update ticket_view set deleted_at = null
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${restored})`.execute(db)
  await recordChanges(
    db,
    scope,
    views.flatMap(view => viewChange(scope, view.id, null, view)),
  )
  if (views.some(({ shared }) => shared)) tellEverybody()
  return { Success: 1 as const }
})
