import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/projects/statistics'
import { type Db, run } from '../../db/db.ts'
import { sqlState } from '../../db/sql-state.ts'
import { implement } from '../../http/implement.ts'
import { bindTo } from '../../lib/bind.ts'
import { invalid } from '../../lib/failure.ts'
import { periodOf } from '../search/dates/periods.ts'
import { clockOf, inZone } from '../search/dates/zone.ts'
import { compile } from '../search/query/compile-query.ts'
import { asBadRequest, reachOf, readQuery } from '../search/query/read-query.ts'
import { withLongTime } from '../search/results/matching-ids.ts'
import { statisticsStatement } from './statistics-statement.ts'

export const getProjectStatistics = implement(contract.getProjectStatistics, async ({ db, scope, input }) => {
  const clock = clockOf(input.Zone)
  for (const name of ['From', 'To'] as const) if (!periodOf(input[name], clock)) throw invalid(name, 'is not a day')
  const length = (Date.parse(input.To) - Date.parse(input.From)) / 86_400_000 + 1
  if (length < 1 || length > limits.statisticDays) throw invalid('To', `must be at or after From, at most ${limits.statisticDays} days`)
  const query = input.Query ?? ''
  const parsed = readQuery(query)
  const reach = await reachOf(db, scope, parsed)

  const parameters: unknown[] = [scope.organizationId, scope.projectId, scope.userId, input.From, input.To, clock.sqlZone]
  const bind = bindTo(parameters)
  const { condition } = asBadRequest(() => compile(parsed, reach, { projects: 'array[$2::bigint]', user: '$3::bigint', bind, clock }))
  const statement = statisticsStatement(condition)
  const read = (from: Db) => run(from, statement, parameters)
  const [found] = await inZone(() => read(db)).catch(error => {
    // Charts of a very large project take longer than a statement may.
    if (sqlState(error) !== '57014') throw error
    return withLongTime(db, query, read)
  })
  if (!found) throw new Error('statistics without a row')
  return { Days: found.days, Open: found.open, Closed: found.closed, States: found.states }
})
