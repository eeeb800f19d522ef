import type { Request } from '@tessera/contract/call'
import { isQueryName, nearestNames, sortNames } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { QueryError } from '@tessera/contract/query-language/tree'
import type { searchTickets } from '@tessera/contract/search'
import { columnKey, fieldKey } from '../../tickets/columns/queries.ts'
import { columnOrder, isBaseColumn, isListColumn, titleOrder } from '../../tickets/columns/rules.ts'
import type { Bind, FieldOfKey } from '../fields/rules.ts'
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
    const column = known && known !== 'due' ? columns[known] : keyOf(fields ?? [], bind)
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
    return keyOf(
      [...reach.fields.values()].flat().filter(field => field.key === name),
      bind,
    )
  }
  return [...slots.map(({ Column, Direction }) => `${key(Column)} ${Direction} nulls last`), `id ${id}`].join(', ')
}

/** The sort key of fields that have one key in several projects. */
function keyOf(fields: readonly FieldOfKey[], bind: Bind) {
  const [first] = fields
  const ids = `any(${bind(fields.map(({ id }) => id))}::bigint[])`
  // Of several types only texts compare.
  const type = first && fields.every(({ typeId }) => typeId === first.typeId) ? first : { id: 0, typeId: textType }
  return fieldKey(type, ids).sql
}
const textType = 3
