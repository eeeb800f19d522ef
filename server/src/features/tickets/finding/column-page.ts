import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Bind, bindTo } from '../../../lib/bind.ts'
import { columnKey, fieldKey, firstInOrder, rankKey } from '../columns/column-keys.ts'
import { columnOrder, orderBy, readColumnCursor, requireKeys } from '../columns/column-order.ts'
import { isBaseColumn } from '../columns/list-columns.ts'
import type { Group } from '../pages/group-order.ts'
import { pageColumns } from '../pages/list-rows.ts'
import { type Input, isFiltered, neededGroups, type Query, ranksOf } from './filters.ts'
import { answerOf, groupsAnswer, groupsRow, keysRow, nothing, type Page, pageRow, pathRow, shownOf } from './found-page.ts'
import { foundTickets } from './found-tickets.ts'

/** The matching tickets in the order of any columns; those without a value come last. `counted` are their groups, if counters have them. */
export async function columnPage(
  db: Db,
  scope: ProjectScope,
  input: Input,
  query: Query,
  counted: readonly Group[] | undefined,
): Promise<Page> {
  const order = columnOrder(input.Sort)
  const needed = counted && neededGroups(order.columns[0], query, counted, readColumnCursor(order, input.Cursor))
  const page = await sortedPage(db, scope, input, query, { counted, needed })
  // Tickets may have left these groups since they were counted.
  const isShort = needed !== undefined && (page.keys?.length ?? 0) <= query.limit
  return isShort ? sortedPage(db, scope, input, query, { counted, needed: undefined }) : page
}

/** `needed`: the page begins and ends in these groups. */
async function sortedPage(
  db: Db,
  scope: ProjectScope,
  input: Input,
  query: Query,
  { counted, needed }: { counted: readonly Group[] | undefined; needed: ReturnType<typeof neededGroups> },
): Promise<Page> {
  const { limit } = query
  const filtered = isFiltered(input)
  const order = columnOrder(input.Sort)
  const after = readColumnCursor(order, input.Cursor)
  const parameters: unknown[] = [scope.organizationId, scope.projectId, scope.userId]
  const bind = bindTo(parameters)
  const found = foundTickets(input, query, bind)
  const keys = order.columns.map(({ Column, Direction }, index) => {
    return { ...sortKeyOf(Column, query, bind), name: `k${index}`, Direction }
  })
  if (after) requireKeys(after, keys)
  const by = orderBy(keys, order.id)
  const rows = needed ? `(select * from found t where t.${needed.column} = any(${bind(needed.ids)}::bigint[]))` : 'found'
  const first = firstInOrder(rows, { keys, id: order.id, after, most: `${bind(limit + 1)}::int`, projects: 'array[$2::bigint]', bind })
  const { shown, shownRow } = shownOf(input, query, bind)
  const isGroupCounted = counted && (input.Group === 'State' || input.Group === 'Type')
  const grouped = isGroupCounted ? '' : groupsAnswer(input, query, bind)
  const total = counted ? `${bind(counted.reduce((sum, { tickets }) => sum + tickets, 0))}::int` : '(select count(*)::int from found)'
  const keysOf = `(select json_agg(json_build_array(${keys.map(({ name }) => `picked.${name}::text`).join(', ')}) order by picked.rank) from picked)`
  const [page = nothing]: Page[] = await run(
    db,
    unpreparedStatement(
      { ...pageRow, ...(filtered && pathRow), ...shownRow, ...(grouped && groupsRow), ...keysRow },
      `
      with recursive ${found}, ${first}, picked as materialized (
        select first.*, row_number() over (order by ${by}) as rank from first
      ), page as materialized (
        select ${pageColumns}, picked.rank from picked join ticket t on t.organization_id = $1 and t.id = picked.id
      ) ${answerOf(order.id, filtered, total, `${shown}${grouped}, ${keysOf} as keys`)}`,
    ),
    parameters,
  )
  return page
}

function sortKeyOf(column: string, { names, fields }: Query, bind: Bind) {
  // Types by name, states and phases by position.
  if (isBaseColumn(column)) return rankKey(ranksOf(column, names), column === 'Type' ? 't.template_id' : 't.state_id', bind)
  const field = fields.get(column)
  return field ? fieldKey(field, bind(field.id)) : columnKey(column)
}
