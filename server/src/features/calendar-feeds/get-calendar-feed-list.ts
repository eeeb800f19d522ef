import * as contract from '@tessera/contract/projects/calendar-feeds'
import { queryRows } from '../../db/db.ts'
import { int8, nullable, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

export const getCalendarFeedList = implement(contract.getCalendarFeedList, async ({ db, scope }) => {
  const { organizationId, projectId, userId } = scope
  const rows = await queryRows(db, {
    idFeed: int8,
    Name: text,
    Query: text,
    Field: text,
    DateCreated: int8,
    fetched: nullable(int8),
  })`
    select id as "idFeed", name as "Name", query as "Query", field_key as "Field",
      floor(extract(epoch from created_at))::bigint as "DateCreated", floor(extract(epoch from fetched_at))::bigint as fetched
    from calendar_feed where organization_id = ${organizationId} and project_id = ${projectId} and owner_id = ${userId}
    order by created_at desc, id desc`
  return rows.map(({ fetched, ...feed }) => ({ ...feed, ...(fetched !== null && { LastFetched: fetched }) }))
})
