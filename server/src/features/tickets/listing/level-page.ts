import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type * as contract from '@tessera/contract/tickets/tickets'
import { memoize } from '../../../db/db.ts'
import { reading } from '../../../lib/authorize.ts'
import { columnOrder } from '../columns/column-order.ts'
import { columnsAnswer, columnsRow } from '../columns/column-values.ts'
import { shownColumns, sortedKeys } from '../columns/list-columns.ts'
import { isFiltered } from '../finding/filters.ts'
import { pageRow } from '../finding/found-page.ts'
import { type Order, readCursor } from '../pages/group-order.ts'
import { blockedAnswer, listAnswer, pageColumns } from '../pages/list-rows.ts'

type Input = Request<typeof contract.queryTickets>

/** Whether the list is of roots, or of the children of one ticket, by id. */
export function isLevel(input: Input) {
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
      select ${pageColumns} from ticket t
      where organization_id = $1 and project_id = $5 and parent_id ${level === 'roots' ? 'is null' : '= $7'} and trashed_at is null
        and id ${direction === 'asc' ? '>' : '<'} $6 order by id ${direction} limit ${limit}
    ) select (${total}) as total, ${listAnswer('$5', 'scope.user_id', `id ${direction}`)}${blockedAnswer}${shown}`,
  )
})

/** The statement that reads a page of such a list, with the proof that the caller may see the project. */
export function levelPage(input: Input, order: Order) {
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
