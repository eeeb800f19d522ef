import * as contract from '@tessera/contract/projects/views'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { recordChanges } from '../../lib/changes.ts'
import { chosen, lockViews, requireChangeable, viewChange, visibleViews } from './queries.ts'

export const deleteViews = implement(contract.deleteViews, async ({ db, scope: asked, input, tellEverybody }) => {
  const scope = await lockViews(db, asked)
  const views = chosen(await visibleViews(db, scope), input.ids)
  for (const view of views) requireChangeable(scope, view)
  const { organizationId, projectId } = scope
  // A deletion can be undone for a day.
  await sql`
    delete from ticket_view where organization_id = ${organizationId} and project_id = ${projectId} and deleted_at < now() - interval '1 day'`.execute(
    db,
  )
  await sql`
    update ticket_view set deleted_at = now()
    where organization_id = ${organizationId} and project_id = ${projectId} and id = any(${input.ids})`.execute(db)
  await recordChanges(
    db,
    scope,
    views.flatMap(view => viewChange(scope, view.id, view, null)),
  )
  if (views.some(({ shared }) => shared)) tellEverybody()
  return { Success: 1 as const }
})
