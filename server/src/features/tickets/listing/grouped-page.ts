import { type Db, memoize, run, statement } from '../../../db/db.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { columnsAnswer, columnsRow } from '../columns/column-values.ts'
import type { Query } from '../finding/filters.ts'
import { answerOf, nothing, type Page, pageRow, pathRow } from '../finding/found-page.ts'
import { type Order, type Position, rank } from '../pages/group-order.ts'
import { pageColumns, readTickets } from '../pages/list-rows.ts'

const groupedStatement = memoize((byTemplate: boolean, filtered: boolean, direction: Order['id'], columns: string, hasKeys: boolean) => {
  const shown = columnsAnswer(columns, '$2', '$3', hasKeys ? '$11' : '')
  return statement(
    { ...pageRow, ...(filtered && pathRow), ...(shown && columnsRow) },
    `
    with recursive page as materialized (
      select t.*, g.rank from unnest($4::bigint[], $5::bigint[], $6::bool[], $7::int[], $8::bigint[]) as g (template_id, state_id, root, rank, from_id)
      cross join lateral (
        select ${pageColumns} from ticket t
        where t.organization_id = $1 and t.project_id = $2 and t.state_id = g.state_id and (t.parent_id is null) = g.root
          ${byTemplate ? 'and t.template_id = g.template_id' : ''} and t.trashed_at is null and t.id ${direction === 'asc' ? '>' : '<'} g.from_id
        order by t.id ${direction} limit $9
      ) t
      order by g.rank, t.id ${direction} limit $9
    ) ${answerOf(direction, filtered, '$10::int', shown)}`,
  )
})

/** A page of the counted groups, in the order of their ranks. */
export async function groupedPage(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  query: Query & { filtered: boolean; byTemplate: boolean; columns: string; keys: string[] },
  after: Position | undefined,
): Promise<Page> {
  const { order, limit, names, groups, filtered, byTemplate, columns, keys } = query
  const total = groups.reduce((sum, { tickets }) => sum + tickets, 0)
  const ranked = rank(order, names, groups, after)
  const { from } = ranked
  // From the rank where the previous page ended, up to the ranks that hold a page plus one ticket.
  let following = 0
  let lastRank = Number.MAX_SAFE_INTEGER
  const needed = ranked.groups.filter(group => {
    if (group.rank < from.rank || group.rank > lastRank) return false
    if (group.rank > from.rank) following += group.tickets
    if (following > limit) lastRank = group.rank
    return true
  })
  const read = async (chosen: typeof needed): Promise<Page> => {
    const ranges = [
      ...new Map(chosen.map(group => [`${byTemplate ? group.templateId : ''},${group.stateId},${group.root}`, group])).values(),
    ]
    if (ranges.length === 0) return { ...nothing, total }
    const start = order.id === 'asc' ? 0 : Number.MAX_SAFE_INTEGER
    const [page = nothing]: Page[] = await run(db, groupedStatement(byTemplate, filtered, order.id, columns, keys.length > 0), [
      organizationId,
      projectId,
      userId,
      ranges.map(({ templateId }) => templateId),
      ranges.map(({ stateId }) => stateId),
      ranges.map(({ root }) => root),
      ranges.map(group => group.rank),
      ranges.map(group => (group.rank === from.rank ? from.id : start)),
      limit + 1,
      total,
      ...(keys.length > 0 ? [keys] : []),
    ])
    return page
  }
  const page = await read(needed)
  // Tickets may have left these groups since they were counted: a page that is not full is not the last one while there are more groups.
  const isCut = ranked.groups.some(group => group.rank > lastRank)
  return isCut && readTickets(page).ids.length <= limit ? read(ranked.groups.filter(group => group.rank >= from.rank)) : page
}
