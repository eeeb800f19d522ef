import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/projects/calendar-feeds'
import { propertyType } from '@tessera/contract/projects/project-config'
import { queryRows } from '../../db/db.ts'
import { bool, int4, int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { requireOpen } from '../../lib/authorize.ts'
import { Failure, invalid } from '../../lib/failure.ts'
import { clockOf } from '../search/dates/zone.ts'
import { requireReadable } from '../search/query/read-query.ts'
import { newAddress } from './feed-address.ts'
import { lockFeeds } from './queries.ts'

export const createCalendarFeed = implement(contract.createCalendarFeed, async ({ db, scope: asked, input, system }) => {
  const scope = await lockFeeds(db, asked)
  requireOpen(scope)
  const { organizationId, projectId, userId } = scope
  const { Name, Query = '', Field } = input
  const { zone } = clockOf(input.Zone)
  await requireReadable(db, scope, Query)
  const [present] = await queryRows(db, { feeds: int4, isDate: bool })`
    select (select count(*)::int from calendar_feed
        where organization_id = ${organizationId} and project_id = ${projectId} and owner_id = ${userId}) as feeds,
      exists (select 1 from field where organization_id = ${organizationId} and project_id = ${projectId} and key = ${Field}
        and type_id = ${propertyType.DATE}) as "isDate"`
  if (!present?.isDate) throw invalid('Field', 'is not the key of a DATE field of this project')
  if (present.feeds >= limits.calendarFeeds)
    throw new Failure('rule', `You can have at most ${limits.calendarFeeds} calendar feeds in a project: delete one first`)

  const { address, tokenHash } = newAddress(system.config, organizationId)
  const [made] = await queryRows(db, { id: int8 })`
    insert into calendar_feed (organization_id, project_id, owner_id, name, query, field_key, zone, token_hash)
    values (${organizationId}, ${projectId}, ${userId}, ${Name}, ${Query}, ${Field}, ${zone}, ${tokenHash}) returning id`
  return { Success: 1 as const, idFeed: made?.id as number, Address: address }
})
