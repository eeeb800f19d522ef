import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import { int4, json, nullable, type RowOf } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Bind, bindTo } from '../../../lib/bind.ts'
import { asksForTrash } from '../../search/conditions/trash-condition.ts'
import { personName } from '../assignees/person-name.ts'
import { personOf } from '../columns/column-keys.ts'
import { columnsAnswer, columnsRow } from '../columns/column-values.ts'
import { shownColumns } from '../columns/list-columns.ts'
import { type GroupTotals, groupOf } from '../grouping/list-groups.ts'
import { type Order, rank, readCursor } from '../pages/group-order.ts'
import { blockedAnswer, blockedRow, listAnswer, listRow, pageColumns, trashedAnswer, trashedRow } from '../pages/list-rows.ts'
import { ancestors } from '../ticket-tree.ts'
import { type Input, isFiltered, type Query } from './filters.ts'
import { foundTickets } from './found-tickets.ts'

export const pageRow = { total: int4, ...listRow, ...blockedRow }
export const pathRow = { paths: nullable(json<[ticketId: number, path: { id: number; Title: string }[]][]>()) }
/** The sort keys of the tickets, in the order of the page. */
export const keysRow = { keys: nullable(json<(string | null)[][]>()) }
/** How many tickets each group has, and the group of each ticket of the page. */
export const groupsRow = { totals: nullable(json<GroupTotals>()), grouped: nullable(json<[ticketId: number, value: string | null][]>()) }
export type Page = RowOf<typeof pageRow> &
  Partial<RowOf<typeof pathRow & typeof columnsRow & typeof keysRow & typeof groupsRow & typeof trashedRow>>
export const nothing: Page = {
  total: 0,
  pcode: '',
  templates: null,
  states: null,
  tickets: null,
  counts: null,
  mine: null,
  labels: null,
  blocked: null,
}

/** SQL after the CTE `page (…, rank)` of a recursive WITH: the answer, with the ancestors of each ticket when the list is filtered. */
export function answerOf(direction: Order['id'], filtered: boolean, total: string, shown: string) {
  const answer = `select ${total} as total, ${listAnswer('$2', '$3', `rank, id ${direction}`)}${blockedAnswer}${shown}`
  if (!filtered) return answer
  return `, ${ancestors} ${answer}, ${pathsAnswer}`
}
/** The column of a `pathRow`, from the CTE `up`. */
export const pathsAnswer = `(select json_agg(json_build_array(path.ticket_id, path.path)) from (
    select up.ticket_id, json_agg(json_build_object('id', up.id, 'Title', up.title) order by up.depth desc) as path from up group by up.ticket_id
  ) path) as paths`

/** What the rows have besides the standard columns, to be appended to the select list of the page. */
export function shownOf(input: Input, { asked }: Query, bind: Bind) {
  const { columns, keys } = shownColumns(input)
  const shown = columnsAnswer(columns, '$2', '$3', keys.length > 0 ? bind(keys) : '')
  const mayBeTrashed = asked !== undefined && asksForTrash(asked.parsed)
  return {
    shown: mayBeTrashed ? shown + trashedAnswer : shown,
    shownRow: { ...(shown && columnsRow), ...(mayBeTrashed && trashedRow) },
  }
}

/** The groups of the found tickets, to be appended to the select list of the page. */
export function groupsAnswer({ Group }: Input, { fields }: Query, bind: Bind) {
  if (Group === undefined) return ''
  // A ticket with several assignees is in the group of the first by name: the first key of the order, which is that of the groups, says who that is.
  if (Group === 'Assignee') {
    return `, (select json_agg(json_build_array(${personOf('g.k0')}::text, g.tickets, ${personName}) order by g.k0) from (
        select k0, count(*)::int as tickets from keyed group by k0) g left join user_account u on u.id = ${personOf('g.k0')}) as totals,
      (select json_agg(json_build_array(id, ${personOf('k0')}::text)) from picked) as grouped`
  }
  const value = groupOf(Group, fields.get(Group), bind)
  return `, (select json_agg(json_build_array(g.value, g.tickets, null)) from (
      select ${value} as value, count(*)::int as tickets from found t group by 1) g) as totals,
    (select json_agg(json_build_array(t.id, ${value})) from page t) as grouped`
}

/** The matching tickets, counted and sorted. */
export async function foundPage(db: Db, { organizationId, projectId, userId }: ProjectScope, input: Input, query: Query): Promise<Page> {
  const { order, names, groups, limit } = query
  const filtered = isFiltered(input)
  const after = readCursor(order, input.Cursor)
  const parameters: unknown[] = [organizationId, projectId, userId]
  const bind = bindTo(parameters)
  const found = foundTickets(input, query, bind)

  const pairs = new Map(groups.map(group => [`${group.templateId},${group.stateId}`, group]))
  const ranked = rank(order, names, [...pairs.values()], after)
  const byRank = order.columns.length > 0
  const ranks = ranked.groups
  // A ticket without a rank entered its group after the groups were read: a later page will have it.
  const rankColumn = byRank ? 'g.rank' : '1'
  const rankJoin = byRank
    ? `join unnest(${bind(ranks.map(({ templateId }) => templateId))}::bigint[], ${bind(ranks.map(({ stateId }) => stateId))}::bigint[],
        ${bind(ranks.map(group => group.rank))}::int[]) as g (template_id, state_id, rank) on g.template_id = found.template_id and g.state_id = found.state_id`
    : ''
  let rest = ''
  if (after) {
    const from = byRank ? ranked.from : { rank: 1, id: after.id }
    const [fromRank, fromId] = [bind(from.rank), bind(from.id)]
    rest = `where ${rankColumn} > ${fromRank} or ${rankColumn} = ${fromRank} and found.id ${order.id === 'asc' ? '>' : '<'} ${fromId}`
  }

  const { shown, shownRow } = shownOf(input, query, bind)
  const grouped = groupsAnswer(input, query, bind)
  const [page = nothing]: Page[] = await run(
    db,
    unpreparedStatement(
      { ...pageRow, ...(filtered && pathRow), ...shownRow, ...(grouped && groupsRow) },
      `
      with recursive ${found}, picked as materialized (
        select found.id, ${rankColumn} as rank from found ${rankJoin} ${rest} order by rank, found.id ${order.id} limit ${bind(limit + 1)}
      ), page as materialized (
        select ${pageColumns}, picked.rank from picked join ticket t on t.organization_id = $1 and t.id = picked.id
      ) ${answerOf(order.id, filtered, '(select count(*)::int from found)', shown + grouped)}`,
    ),
    parameters,
  )
  return page
}
