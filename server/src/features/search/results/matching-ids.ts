import type { Request } from '@tessera/contract/call'
import type { Parsed } from '@tessera/contract/query-language/parse'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { forLongTransaction } from '../../../db/connections/connect.ts'
import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import { json } from '../../../db/shape.ts'
import { bindTo } from '../../../lib/bind.ts'
import { limitPerKey } from '../../../lib/turns.ts'
import { joinState } from '../../tickets/pages/list-rows.ts'
import type { Clock } from '../dates/periods.ts'
import { compile, type Reach } from '../query/compile-query.ts'
import { isReached } from '../query/reached-tickets.ts'
import { asBadRequest, type Searcher } from '../query/read-query.ts'
import { withinTime } from '../query/within-time.ts'
import { orderOf } from './search-order.ts'

export interface Asked {
  query: string
  parsed: Parsed
  reach: Reach
  clock: Clock
  /** Takes precedence over the query's own order. */
  sort: Request<typeof searchTickets>['Sort']
}

/** Ordering a million tickets by any column, or adding up their history, takes many seconds. */
const secondsAllowed = 60
const longReads = limitPerKey(1, 200, 'Others are exporting or charting large projects: try again in some minutes')

/**
 * Runs a rare statement of a query over a whole project. A process runs one at a time: there are two connections without the usual time limit, and
 * one of them is left for other work. Whoever has waited for two minutes, as long as a browser does, is refused.
 */
export function withLongTime<T>(db: Db, query: string, work: (db: Db) => Promise<T>): Promise<T> {
  return longReads(0, () => withinTime(forLongTransaction(db), query, work, { secondsAllowed }))
}

/** The ids of all tickets that a query finds in the caller's projects, in its order; the newest first without one. */
export async function matchingIds(db: Db, searcher: Searcher, { query, parsed, reach, clock, sort }: Asked): Promise<number[]> {
  const { organizationId, userId, admin } = searcher
  const parameters: unknown[] = [organizationId, reach.projects.map(({ id }) => id), userId, admin]
  const bind = bindTo(parameters)
  const place = { projects: '$2::bigint[]', user: '$3::bigint', bind, clock }
  const { condition } = asBadRequest(() => compile(parsed, reach, place))
  const { keys, id } = asBadRequest(() => orderOf(sort, parsed, reach, bind)) ?? { keys: [], id: 'desc' }
  const by = [...keys.map(({ sql, Direction }) => `${sql} ${Direction} nulls last`), `t.id ${id}`].join(', ')
  const statement = unpreparedStatement(
    { ids: json<number[]>() },
    `select coalesce(json_agg(id), '[]') as ids from (select t.id from (
      select t.id, t.template_id, t.title, t.parent_id, t.created_at, t.created_by, st.phase, st.position from ticket t
      ${joinState}
      where ${isReached({ parsed, reach }, bind)} and ${condition} offset 0
    ) t order by ${by}) t`,
  )
  const [row] = await withLongTime(db, query, limited => run(limited, statement, parameters))
  return row?.ids ?? []
}
