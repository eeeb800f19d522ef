import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { nearestNames, sortNames } from '@tessera/contract/query-language/names'
import { QueryError } from '@tessera/contract/query-language/tree'
import * as contract from '@tessera/contract/tickets/tickets'
import { type Db, memoize, run, statement } from '../../../db/db.ts'
import { implementWith } from '../../../http/implement.ts'
import { JsonText } from '../../../http/json/json-text.ts'
import { type ProjectScope, reading } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'
import { asksForTrash } from '../../search/conditions/trash-condition.ts'
import { asBadRequest } from '../../search/query/read-query.ts'
import { withinTime, withinUsualTime } from '../../search/query/within-time.ts'
import { columnOrder, writeColumnCursor } from '../columns/column-order.ts'
import { columnsAnswer, columnsRow, valuesText } from '../columns/column-values.ts'
import { columnOfSort, isSortedByColumn, requireKnown, shownColumns, sortedKeys } from '../columns/list-columns.ts'
import { type AskedQuery, idLikeOf, isFiltered, type Query, statesOf } from '../finding/filters.ts'
import { answerOf, columnPage, foundPage, nothing, type Page, pageRow, pathRow } from '../finding/found-page.ts'
import { askedQuery, lookUp } from '../finding/look-up.ts'
import { queryAsPhases } from '../finding/query-as-phases.ts'
import { groupedSort, groupsText } from '../grouping/list-groups.ts'
import { type Names, type Order, type Position, rank, readCursor, sortKey, writeCursor } from './group-order.ts'
import { type ListedTickets, listAnswer, listText, pageColumns, readTickets } from './list-rows.ts'

// Four ways to a page:
// * roots or children by id: one statement along an index;
// * any order, and filters on what ticket_tally counts, or the query `is:open`: the index ranges of the groups (template, state, level), in the order of their rank,
//   as many as the page needs; the tally has the number of tickets in each;
// * any other filter: matching tickets are searched, counted and sorted (finding/found-page.ts);
// * the order of a column that is shown on request: the same, with the keys of that column.

type Input = Request<typeof contract.queryTickets>
export const queryTickets = implementWith(
  contract.queryTickets,
  { mayUseReplica: true, read: input => (isLevel(input) ? levelPage(input, columnOrder(input.Sort)) : undefined) },
  async ({ db, scope, input: sent, row: level }) => {
    const given = queryAsPhases(sent)
    const asked = await askedQuery(db, scope, given)
    const wanted = asked ? { ...given, Sort: given.Sort ?? asBadRequest(() => sortOf(asked)) } : given
    const input = wanted.Group === undefined ? wanted : { ...wanted, Sort: groupedSort(wanted) }
    const byKeys = needsKeys(input, asked)
    const order = columnOrder(byKeys ? [] : input.Sort)
    const limit = input.Limit ?? limits.pageSize
    const lookedUp = isLevel(input) ? undefined : await lookUp(db, scope, input)
    const find = (known: Omit<Query, 'order' | 'limit' | 'asked'>) => {
      const read = (from: Db) => orderedPage(from, scope, input, { order, limit, asked, ...known })
      return asked ? withinTime(db, given.Query ?? '', read) : withinUsualTime(read(db))
    }
    const page: Page | undefined = lookedUp ? await find(lookedUp) : level
    // Without a total, the project does not have this parent.
    if (page?.total == null) throw notFound()
    if (!lookedUp) requireKnown(input, new Set(page.known))

    const tickets = readTickets(page)
    const next = JSON.stringify(
      byKeys ? columnCursorAfter(tickets, limit, page, input) : cursorAfter(tickets, limit, order, lookedUp?.names),
    )
    const { more, groups } = lookedUp ? groupsText(wanted, page, tickets, lookedUp) : { groups: '' }
    return new JsonText(
      `{"Tickets":${listText(page, tickets, limit, moreOf(input, page, more))},"NextCursor":${next},"Total":${page.total}${groups}}`,
    )
  },
)

/** Whether tickets are ordered by a key of each ticket, and not by the ranks of the counted groups, which leave out the trash. */
function needsKeys(input: Input, asked: AskedQuery | undefined) {
  return isSortedByColumn(input) || (asked !== undefined && asksForTrash(asked.parsed))
}

/** The order that the query asks for. */
function sortOf({ parsed: { sort, spanOf }, reach }: AskedQuery): NonNullable<Input['Sort']> {
  return sort.flatMap(term => {
    const Direction = term.descending ? ('desc' as const) : ('asc' as const)
    const fields = reach.fields.get(term.name)
    if (fields) return fields.map(({ key }) => ({ Column: key, Direction }))
    const Column = columnOfSort(term.name)
    if (!Column) throw new QueryError(`Tickets cannot be sorted by '${term.name}'`, spanOf(term), nearestNames(term.name, sortNames))
    return { Column, Direction }
  })
}

/** What the rows have besides the standard columns: their path if the list is filtered, the requested columns, and their group. */
function moreOf(input: Input, page: Page, group: ((id: number) => string) | undefined) {
  const paths = new Map(page.paths)
  const path = isFiltered(input) && ((id: number) => `,"Path":${JSON.stringify(paths.get(id) ?? [])}`)
  const values = input.Columns?.length && valuesText(input.Columns, page)
  const trashed = new Set(page.trashed)
  const inTrash = trashed.size > 0 && ((id: number) => (trashed.has(id) ? ',"Trashed":1' : ''))
  const parts = [path, values, inTrash, group].filter(part => typeof part === 'function')
  return parts.length === 0 ? undefined : (id: number) => parts.map(part => part(id)).join('')
}

function columnCursorAfter({ ids }: ListedTickets, limit: number, { keys }: Page, input: Input) {
  if (ids.length <= limit) return null
  return writeColumnCursor(columnOrder(input.Sort), { keys: keys?.[limit - 1] ?? [], id: ids[limit - 1] as number })
}

/** Where the next page begins; null after the last. */
function cursorAfter({ ids, templateIds, stateIds }: ListedTickets, limit: number, order: Order, names: Names | undefined) {
  if (ids.length <= limit) return null
  const last = limit - 1
  const key = names ? sortKey(order, names, templateIds[last] as number, stateIds[last] as number) : []
  return writeCursor(order, { key, id: ids[last] as number })
}

/** Roots or children by id. */
function isLevel(input: Input) {
  const isPlain = !input.idParents && input.Group === undefined
  // Fields named in the order have to be looked up, even where they have no effect: the project may not have them.
  const isById = columnOrder(input.Sort).columns.length === 0 && sortedKeys(input).length === 0
  return isPlain && !isFiltered(input) && isById
}

/**
 * One row more than the page, to see whether another follows. Common sizes are constants in the text: with a parameter as LIMIT, PostgreSQL
 * would plan each execution again, which takes longer than the page.
 */
function limitOf(size: number, parameter: string): { text: string; parameters: number[] } {
  const isUsual = size === limits.pageSize || size === limits.pageSizeMax
  return isUsual ? { text: String(size + 1), parameters: [] } : { text: parameter, parameters: [size + 1] }
}

// ── Roots or children, by id ────────────────────────────────────────────────

const levelStatement = memoize((level: 'roots' | 'children', direction: Order['id'], limit: string, columns: string, keys: string) => {
  const total =
    level === 'roots'
      ? 'select coalesce(sum(c.tickets), 0)::int from root_tally c where c.organization_id = $1 and c.project_id = $5'
      : `select coalesce(c.proposed + c.active + c.inactive, 0) from ticket parent
        left join ticket_subordinate c on c.organization_id = $1 and c.ticket_id = parent.id
        where parent.organization_id = $1 and parent.project_id = $5 and parent.id = $7`
  const shown = columnsAnswer(columns, '$5', 'scope.user_id', keys)
  return reading(
    'project',
    { ...pageRow, ...(shown && columnsRow) },
    `with page as materialized (
      select ${pageColumns} from ticket
      where organization_id = $1 and project_id = $5 and parent_id ${level === 'roots' ? 'is null' : '= $7'} and trashed_at is null
        and id ${direction === 'asc' ? '>' : '<'} $6 order by id ${direction} limit ${limit}
    ) select (${total}) as total, ${listAnswer('$5', 'scope.user_id', `id ${direction}`)}${shown}`,
  )
})

function levelPage(input: Input, order: Order) {
  const { idParent, Cursor, Limit = limits.pageSize } = input
  const from = readCursor(order, Cursor)?.id ?? (order.id === 'asc' ? 0 : Number.MAX_SAFE_INTEGER)
  const [level, parent] = idParent == null ? (['roots', []] as const) : (['children', [idParent]] as const)
  const { text, parameters } = limitOf(Limit, `$${7 + parent.length}`)
  const { columns, keys } = shownColumns(input)
  const given = [from, ...parent, ...parameters]
  const keysAt = keys.length > 0 ? `$${6 + given.length}` : ''
  return {
    statement: levelStatement(level, order.id, text, columns, keysAt),
    parameters: keysAt ? [...given, keys] : given,
  }
}

async function orderedPage(db: Db, scope: ProjectScope, input: Input, query: Query): Promise<Page> {
  const isCounted =
    input.idParent == null &&
    !input.idParents &&
    idLikeOf(query.shortCode, input) === undefined &&
    !input.Title &&
    !input.Subordinates?.length &&
    !input.Labels?.length &&
    !input.Mine &&
    !query.asked
  const filtered = isFiltered(input)
  const types = input.Types?.length ? input.Types : undefined
  const states = statesOf(input, query.names)
  const groups = query.groups.filter(
    group => (filtered || group.root) && (types?.includes(group.templateId) ?? true) && (states?.includes(group.stateId) ?? true),
  )
  const totals: Page['totals'] = groups.map(({ templateId, stateId, tickets }) => [
    String(input.Group === 'Type' ? templateId : stateId),
    tickets,
    null,
  ])
  if (needsKeys(input, query.asked)) {
    const page = await columnPage(db, scope, input, query, isCounted ? groups : undefined)
    return { totals, ...page }
  }
  if (!isCounted) return foundPage(db, scope, input, query)
  const byTemplate = types !== undefined || query.order.columns.some(({ Column }) => Column === 'Type')
  const page = await groupedPage(
    db,
    scope,
    { ...query, ...shownColumns(input), groups, filtered, byTemplate },
    readCursor(query.order, input.Cursor),
  )
  return { ...page, totals }
}

// ── Group after group ───────────────────────────────────────────────────────

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

async function groupedPage(
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
