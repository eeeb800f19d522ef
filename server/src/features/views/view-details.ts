import { keysOfGroup } from '@tessera/contract/projects/views'
import { isQueryName } from '@tessera/contract/query-language/names'
import { parse } from '@tessera/contract/query-language/parse'
import { matchesOf } from '@tessera/contract/query-language/tree'
import { type Db, run, unpreparedStatement } from '../../db/db.ts'
import { json } from '../../db/shape.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { bindTo } from '../../lib/bind.ts'
import { Failure } from '../../lib/failure.ts'
import { trashCondition } from '../search/conditions/trash-condition.ts'
import { clockOf } from '../search/dates/zone.ts'
import { compile } from '../search/query/compile-query.ts'
import { asBadRequest, reachOf, readQuery } from '../search/query/read-query.ts'
import { withinTime } from '../search/query/within-time.ts'
import { shownColumns, sortedKeys } from '../tickets/columns/list-columns.ts'
import { groupedKeys } from '../tickets/grouping/list-groups.ts'
import type { View } from './queries.ts'

/** The most views that are counted: the first ones in the person's order. */
const counted = 20
/** No further view is counted after this time. */
const timeToCount = '0.5 s'

/** The fields that a view names: in its query, and by the keys of its columns, order and group. */
function fieldsOf({ query, columns, sort, group }: View) {
  const { where, sort: terms } = readQuery(query)
  const named = [...matchesOf(where), ...terms].map(({ name }) => name)
  const grouped = keysOfGroup(group).flatMap(Group => groupedKeys({ Group }))
  return {
    names: named.filter(name => name === 'due' || !isQueryName(name)),
    keys: [...shownColumns({ Columns: columns }).keys, ...sortedKeys({ Sort: sort }), ...grouped],
  }
}

/**
 * For each view, the fields it names that the project no longer has; when `isCounted`, for the first views also the number of tickets. Takes a
 * statement each, the first one only if the views name fields.
 */
export async function detailsOf(
  db: Db,
  scope: ProjectScope,
  views: readonly View[],
  { isCounted, zone }: { isCounted: boolean; zone: string | undefined },
): Promise<{ Gone?: string[]; Total?: number }[]> {
  const named = views.map(fieldsOf)
  if (!isCounted && named.every(({ names, keys }) => names.length + keys.length === 0)) return views.map(() => ({}))
  const [names, columns] = [named.flatMap(view => view.names), named.flatMap(view => view.keys)]
  const reach = await reachOf(db, scope, parse(''), { names, columns })
  const known = new Set(reach.columns.map(({ key }) => key))
  const gone = named.map(view => {
    // A project without a due date still has queries about it.
    const unnamed = view.names.filter(name => name !== 'due' && !reach.fields.get(name)?.length)
    return [...new Set([...unnamed, ...view.keys.filter(key => !known.has(key))])]
  })
  const countable = views.slice(0, counted).filter((_, index) => gone[index]?.length === 0)
  const totals = isCounted ? await totalsOf(db, scope, countable, reach, zone) : undefined
  return views.map((view, index) => {
    const total = totals?.[countable.indexOf(view)] ?? undefined
    return { ...(gone[index]?.length ? { Gone: gone[index] } : {}), ...(total === undefined ? {} : { Total: total }) }
  })
}

function isUnreadable(problem: unknown) {
  return problem instanceof Failure && problem.code === 'query'
}

/** Undefined when counting takes too long. */
async function totalsOf(db: Db, scope: ProjectScope, views: readonly View[], reach: Awaited<ReturnType<typeof reachOf>>, zone?: string) {
  if (views.length === 0) return []
  const parameters: unknown[] = [scope.organizationId, scope.projectId, scope.userId]
  const bind = bindTo(parameters)
  const place = { projects: 'array[$2::bigint]', user: '$3::bigint', bind, clock: clockOf(zone) }
  const totals = views.map(({ query }) => {
    const known = parameters.length
    try {
      const parsed = readQuery(query)
      const { condition } = asBadRequest(() => compile(parsed, reach, place))
      return `case when clock_timestamp() < statement_timestamp() + interval '${timeToCount}' then (select count(*) from ticket t
        where t.organization_id = $1 and t.project_id = $2 and ${trashCondition({ parsed, reach }, bind)} and ${condition}) end`
    } catch (problem) {
      // A field whose type has changed may no longer accept the value.
      if (!isUnreadable(problem)) throw problem
      parameters.length = known
      return 'null'
    }
  })
  const statement = unpreparedStatement(
    { totals: json<(number | null)[]>() },
    `select json_build_array(${totals.join(', ')}) as totals from (select $3::bigint) caller`,
  )
  try {
    return (await withinTime(db, '', limited => run(limited, statement, parameters)))[0]?.totals
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem
    return undefined
  }
}
