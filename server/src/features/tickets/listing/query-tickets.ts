import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { nearestNames, sortNames } from '@tessera/contract/query-language/names'
import { QueryError } from '@tessera/contract/query-language/tree'
import * as contract from '@tessera/contract/tickets/tickets'
import type { Db } from '../../../db/db.ts'
import { implementWith } from '../../../http/implement.ts'
import { JsonText } from '../../../http/json/json-text.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'
import { asksForTrash } from '../../search/conditions/trash-condition.ts'
import { asBadRequest } from '../../search/query/read-query.ts'
import { withinTime, withinUsualTime } from '../../search/query/within-time.ts'
import { columnOrder, writeColumnCursor } from '../columns/column-order.ts'
import { valuesText } from '../columns/column-values.ts'
import { columnOfSort, isSortedByColumn, requireKnown, shownColumns } from '../columns/list-columns.ts'
import { columnPage } from '../finding/column-page.ts'
import { type AskedQuery, idLikeOf, isFiltered, type Query, statesOf } from '../finding/filters.ts'
import { foundPage, type Page } from '../finding/found-page.ts'
import { askedQuery, lookUp } from '../finding/look-up.ts'
import { queryAsPhases } from '../finding/query-as-phases.ts'
import { groupedSort, groupsText } from '../grouping/list-groups.ts'
import { type Names, type Order, readCursor, sortKey, writeCursor } from '../pages/group-order.ts'
import { type ListedTickets, listText, readTickets } from '../pages/list-rows.ts'
import { groupedPage } from './grouped-page.ts'
import { isLevel, levelPage } from './level-page.ts'

// Four ways to a page:
// * roots or children by id: one statement along an index (level-page.ts);
// * any order, and filters on what ticket_tally counts, or the query `is:open`: the index ranges of the groups (template, state, level), in the order of their rank,
//   as many as the page needs; the tally has the number of tickets in each (grouped-page.ts);
// * any other filter: matching tickets are searched, counted and sorted (finding/found-page.ts);
// * the order of a column that is shown on request: the same, with the keys of that column (finding/column-page.ts).

type Input = Request<typeof contract.queryTickets>
export const queryTickets = implementWith(
  contract.queryTickets,
  { mayUseReplica: true, read: input => (isLevel(input) ? levelPage(input, columnOrder(input.Sort)) : undefined) },
  async ({ db, scope, input: sent, row: level }) => {
    const given = queryAsPhases(sent)
    const asked = await askedQuery(db, scope, given)
    const wanted = asked ? { ...given, Sort: given.Sort?.length ? given.Sort : asBadRequest(() => sortOf(asked)) } : given
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
