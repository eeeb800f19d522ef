import type { Request } from '@tessera/contract/call'
import { isQueryName, nearestNames, sortNames } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { QueryError } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/search'
import { columnKey, fieldKey } from '../../tickets/columns/queries.ts'
import { columnOrder, isBaseColumn, isListColumn, titleOrder } from '../../tickets/columns/rules.ts'
import type { Bind } from '../fields/rules.ts'
import type { Reach } from '../rules.ts'

/** $3 is the caller. */
const columns: Record<(typeof sortNames)[number], string> = {
  id: 't.id',
  title: columnKey(titleOrder, '$3').sql,
  type: '(select lower(tp.name) from template tp where tp.organization_id = $1 and tp.id = t.template_id)',
  phase: 't.phase',
  state: 't.position',
  assignee: columnKey('Assignees', '$3').sql,
  label: columnKey('Labels', '$3').sql,
  parent: columnKey('Parent', '$3').sql,
  created: columnKey('Created', '$3').sql,
  updated: columnKey('Updated', '$3').sql,
  due: '',
}

/** ORDER BY of the query's own order, about a row `t` of found tickets; null when it has none. What has no value comes last. */
export function orderOf({ sort, spanOf }: Parsed, reach: Reach, bind: Bind): string | null {
  if (sort.length === 0) return null
  const terms = sort.map(term => {
    const { name, descending } = term
    const fields = reach.fields.get(name.toLowerCase())
    const known = sortNames.find(each => each === name)
    if (isQueryName(name) && !known) {
      throw new QueryError(`Tickets have no order by '${name}'`, spanOf(term), nearestNames(name, sortNames))
    }
    const column = known && known !== 'due' ? columns[known] : fieldValue(fields ?? [], bind)
    return `${column} ${descending ? 'desc' : 'asc'} nulls last`
  })
  return terms.join(', ')
}

/** ORDER BY of columns, about the same rows. Their order in one project is that of `query-tickets`. */
export function sortedBy(sort: NonNullable<Request<typeof searchTickets>['Sort']>, reach: Reach, bind: Bind): string {
  const { columns: slots, id } = columnOrder(sort)
  const key = (name: string) => {
    if (isBaseColumn(name)) return columns[name.toLowerCase() as 'type' | 'phase' | 'state']
    if (isListColumn(name)) return columnKey(name, '$3').sql
    const fields = [...reach.fields.values()].flat().filter(field => field.key === name)
    const [first] = fields
    // Where projects have fields of several types under one key, only texts compare.
    if (!first || fields.some(({ typeId }) => typeId !== first.typeId)) return fieldValue(fields, bind)
    return fieldKey(first, `any(${bind(fields.map(field => field.id))}::bigint[])`).sql
  }
  return [...slots.map(({ Column, Direction }) => `${key(Column)} ${Direction} nulls last`), `id ${id}`].join(', ')
}

function fieldValue(fields: readonly { id: number; typeId: number }[], bind: Bind) {
  const value = fields.length > 0 && fields.every(({ typeId }) => typeId === 4) ? 'search_number(v.value)' : "lower(nullif(v.value, ''))"
  return `(select ${value} from ticket_value v where v.organization_id = $1 and v.ticket_id = t.id and v.field_id = any(${bind(fields.map(({ id }) => id))}::bigint[]) limit 1)`
}
