import * as contract from '@tessera/contract/projects/calendar-feeds'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { requireOpen } from '../../lib/authorize.ts'
import { notFound } from '../../lib/failure.ts'
import { newAddress } from './feed-address.ts'
import { lockFeeds } from './queries.ts'

export const renewCalendarFeed = implement(contract.renewCalendarFeed, async ({ db, scope: asked, input, system }) => {
  const scope = await lockFeeds(db, asked)
  requireOpen(scope)
  const { address, tokenHash } = newAddress(system.config, scope.organizationId)
  const [renewed] = await queryRows(db, { id: int8 })`
    update calendar_feed set token_hash = ${tokenHash}, fetched_at = null
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and owner_id = ${scope.userId} and id = ${input.idFeed}
    returning id`
  if (!renewed) throw notFound()
  return { Success: 1 as const, idFeed: renewed.id, Address: address }
})
