import type { Request } from '@tessera/contract/call'
import { propertyType } from '@tessera/contract/projects/project-config'
import { isQueryName, nearestNames, sortNames } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { QueryError, type SortTerm } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/tickets/search'
import type { sortColumns } from '@tessera/contract/tickets/tickets'
import type { Bind } from '../../../lib/bind.ts'
import { columnKey, fieldKey, rankKey } from '../../tickets/columns/column-keys.ts'
import { columnOrder } from '../../tickets/columns/column-order.ts'
import { columnOfSort, isBaseColumn, isListColumn } from '../../tickets/columns/list-columns.ts'
import type { FieldOfKey } from '../conditions/field-condition.ts'
import type { Reach } from '../query/compile-query.ts'

/** How tickets are ordered: by these keys, then by their ids. */
export interface Order {
  keys: (SortKey & { Direction: 'asc' | 'desc' })[]
  id: 'asc' | 'desc'
}
/** SQL about a row `t` of found tickets. */
interface SortKey {
  sql: string
  type: string
}

const baseKeys: Record<(typeof sortColumns)[number], (reach: Reach, bind: Bind) => SortKey> = {
  ID: () => ({ sql: 't.id', type: 'bigint' }),
  Type: ({ typeRanks }, bind) => rankKey(typeRanks, 't.template_id', bind),
  Phase: () => ({ sql: 't.phase', type: 'int' }),
  State: () => ({ sql: 't.position', type: 'int' }),
}
function keyOfColumn(name: string, reach: Reach, bind: Bind): SortKey {
  return isBaseColumn(name) ? baseKeys[name](reach, bind) : columnKey(name)
}

/** The order of the list, else the query's own; null without either. In one project it is that of `query-tickets`. */
export function orderOf(sort: Request<typeof searchTickets>['Sort'], parsed: Parsed, reach: Reach, bind: Bind): Order | null {
  if (sort?.length) return sortedBy(sort, reach, bind)
  return parsed.sort.length === 0 ? null : { keys: parsed.sort.map(term => keyOfTerm(term, parsed, reach, bind)), id: 'desc' }
}

function keyOfTerm(term: SortTerm, { spanOf }: Parsed, reach: Reach, bind: Bind) {
  const { name, descending } = term
  const Direction = descending ? ('desc' as const) : ('asc' as const)
  const column = columnOfSort(name)
  if (isQueryName(name) && column === undefined && name !== 'due') {
    throw new QueryError(`Tickets cannot be sorted by '${name}'`, spanOf(term), nearestNames(name, sortNames))
  }
  const key = column === undefined ? keyOf(reach.fields.get(name) ?? [], bind) : keyOfColumn(column, reach, bind)
  return { ...key, Direction }
}

function sortedBy(sort: NonNullable<Request<typeof searchTickets>['Sort']>, reach: Reach, bind: Bind): Order {
  const { columns: slots, id } = columnOrder(sort)
  const key = (name: string) => {
    if (isBaseColumn(name) || isListColumn(name)) return keyOfColumn(name, reach, bind)
    return keyOf(
      reach.columns.filter(field => field.key === name),
      bind,
    )
  }
  return { keys: slots.map(({ Column, Direction }) => ({ ...key(Column), Direction })), id }
}

/** The sort key of fields that have one key in several projects. */
function keyOf(fields: readonly FieldOfKey[], bind: Bind): SortKey {
  const [first] = fields
  const ids = `any(${bind(fields.map(({ id }) => id))}::bigint[])`
  // Values of different types can be compared only as texts.
  const type = first && fields.every(({ typeId }) => typeId === first.typeId) ? first : { id: 0, typeId: propertyType.TEXT }
  return fieldKey(type, ids)
}
