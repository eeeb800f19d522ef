import * as contract from '@tessera/contract/projects/calendar-feeds'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { notFound } from '../../lib/failure.ts'
import { lockFeeds } from './queries.ts'

/** Also in an archived project, which is open again one day: its feeds would be too. */
export const deleteCalendarFeeds = implement(contract.deleteCalendarFeeds, async ({ db, scope: asked, input }) => {
  const { organizationId, projectId, userId } = await lockFeeds(db, asked)
  const deleted = await queryRows(db, { id: int8 })`
    delete from calendar_feed
    where organization_id = ${organizationId} and project_id = ${projectId} and owner_id = ${userId} and id = any(${input.ids}) returning id`
  if (deleted.length < input.ids.length) throw notFound()
  return { Success: 1 as const }
})
