import { limits } from '@tessera/contract/limits'
import type { Phase } from '@tessera/contract/scalars'
import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import { as, int2, int4, int8, type RowOf, text, timestamptz } from '../../../db/shape.ts'
import { bindTo } from '../../../lib/bind.ts'
import { Failure } from '../../../lib/failure.ts'
import type { FeedRow } from '../../../lib/proofs.ts'
import { trashCondition } from '../../search/conditions/trash-condition.ts'
import { dayAfter } from '../../search/dates/periods.ts'
import { clockOf } from '../../search/dates/zone.ts'
import { compile } from '../../search/query/compile-query.ts'
import { asBadRequest, reachOf, readQuery } from '../../search/query/read-query.ts'
import { withinTime } from '../../search/query/within-time.ts'
import { lastChange } from '../../tickets/columns/column-values.ts'

/** A feed whose owner may still read it. */
export interface Feed extends FeedRow {
  organizationId: number
}

const ticketRow = { id: int8, title: text, state: text, phase: as<Phase>(int2), day: text, changed: timestamptz, total: int4 }
export type FedTicket = RowOf<typeof ticketRow>

/** No person waits for the answer, and a program that gets none asks again. */
const secondsAllowed = 5

/**
 * The tickets of the feed within its days, as its owner sees them, by day; of more than the limit first those of the coming days, then those of the
 * past, the latest first. `total` is how many there are. 400 if the query is not valid any more, 404 if the owner has just lost the project, 503 if it
 * takes too long.
 */
export async function fedTickets(db: Db, feed: Feed, fieldId: number): Promise<FedTicket[]> {
  const { organizationId, projectId, userId, admin } = feed
  // A calendar has an order of its own.
  const parsed = { ...readQuery(feed.query), sort: [] }
  const reach = await reachOf(db, { organizationId, projectId, userId, admin }, parsed)
  const clock = clockOf(feed.zone)
  const parameters: unknown[] = [organizationId, projectId, userId]
  const bind = bindTo(parameters)
  const { condition } = asBadRequest(() => compile(parsed, reach, { projects: 'array[$2::bigint]', user: '$3::bigint', bind, clock }))
  const today = bind(dayAfter('0d', clock))
  const [from, to] = [bind(dayAfter(`-${limits.feedYearsBack}y`, clock)), bind(dayAfter(`${limits.feedYearsAhead}y`, clock))]
  const statement = unpreparedStatement(
    ticketRow,
    // Not every query uses $3, and PostgreSQL cannot infer the type of an unused parameter.
    `with found as materialized (
      select t.id, t.title, t.state_id, t.created_at, v.value as day from ticket t
      join ticket_value v on v.organization_id = $1 and v.ticket_id = t.id and v.field_id = ${bind(fieldId)}
      where t.organization_id = $1 and t.project_id = $2 and $3::bigint is not null and ${trashCondition({ parsed, reach }, bind)}
        and v.value between ${from} and ${to} and ${condition}
    ), picked as materialized (
      select id, title, state_id, created_at, day from found
      order by day < ${today}, case when day >= ${today} then day end, day desc, id limit ${bind(limits.feedTickets)}
    )
    select t.id, t.title, st.name as state, st.phase, t.day, ${lastChange} as changed, (select count(*)::int from found) as total
    from picked t join state st on st.organization_id = $1 and st.id = t.state_id order by t.day, t.id`,
  )
  try {
    return await withinTime(db, '', limited => run(limited, statement, parameters), { secondsAllowed })
  } catch (problem) {
    if (problem instanceof Failure && problem.code === 'rule')
      throw new Failure('unavailable', 'The tickets of this feed take too long to find')
    throw problem
  }
}
