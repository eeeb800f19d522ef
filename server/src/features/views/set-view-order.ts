import * as contract from '@tessera/contract/projects/views'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { chosen, lockViews, visibleViews } from './queries.ts'

export const setViewOrder = implement(contract.setViewOrder, async ({ db, scope: asked, input }) => {
  const scope = await lockViews(db, asked)
  const views = await visibleViews(db, scope)
  chosen(views, input.SortOrder)
  const given = new Set(input.SortOrder)
  const ids = [...input.SortOrder, ...views.map(({ id }) => id).filter(id => !given.has(id))]
  await sql`
    insert into ticket_view_order (organization_id, project_id, user_id, view_ids)
    values (${scope.organizationId}, ${scope.projectId}, ${scope.userId}, ${ids}::bigint[])
    on conflict (organization_id, project_id, user_id) do update set view_ids = excluded.view_ids`.execute(db)
  return { Success: 1 as const }
})
