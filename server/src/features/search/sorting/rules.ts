import { isQueryName, nearestNames, sortNames } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { QueryError } from '@tessera/contract/query-language/tree'
import type { Bind } from '../fields/rules.ts'
import type { Reach } from '../rules.ts'

const columns: Record<(typeof sortNames)[number], string> = {
  id: 't.id',
  title: 'lower(t.title)',
  type: '(select lower(tp.name) from template tp where tp.organization_id = $1 and tp.id = t.template_id)',
  phase: 't.phase',
  state: 't.position',
  created: 't.created_at',
  updated: '(select c.changed_at from change c where c.organization_id = $1 and c.ticket_id = t.id order by c.id desc limit 1)',
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

function fieldValue(fields: readonly { id: number; typeId: number }[], bind: Bind) {
  const value = fields.length > 0 && fields.every(({ typeId }) => typeId === 4) ? 'search_number(v.value)' : "lower(nullif(v.value, ''))"
  return `(select ${value} from ticket_value v where v.organization_id = $1 and v.ticket_id = t.id and v.field_id = any(${bind(fields.map(({ id }) => id))}::bigint[]) limit 1)`
}
