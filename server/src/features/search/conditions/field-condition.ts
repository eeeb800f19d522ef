import { propertyType, type Renderer, rendererOf } from '@tessera/contract/projects/project-config'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Match, QueryError, type Value } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'
import { numberOf } from '../../tickets/columns/column-keys.ts'
import { likeContaining } from '../../tickets/ticket-keys.ts'
import { boundsOf, type Clock, dayAfter, isWithin, periodOf } from '../dates/periods.ts'
import { anyOf, caseless, isNone, isPerson, numberCondition, textOf } from './comparisons.ts'

/** A field of one project that has the key which a query names. */
export interface FieldOfKey {
  id: number
  projectId: number
  key: string
  typeId: number
}

const readAsText: readonly number[] = [propertyType.TEXTMULTILINE, propertyType.TEXT, propertyType.URL]
/** SQL: the types whose values the search reads as text. */
export const textTypes = readAsText.join()
export const isReadAsText = (typeId: number) => readAsText.includes(typeId)

interface Context {
  bind: Bind
  clock: Clock
  spanOf: Parsed['spanOf']
  /** The caller. */
  user: string
}

/** SQL about ticket `t`: its value of one of these fields is one of the match's. The same key may have a different type in each project. */
export function fieldCondition({ values }: Match, fields: readonly FieldOfKey[], context: Context): string {
  const byType = Map.groupBy(fields, ({ typeId }) => typeId)
  const valued = (ids: string, condition: string) => `t.id in (select v.ticket_id from ticket_value v
    where v.organization_id = $1 and v.field_id = any(${ids}::bigint[]) and v.value <> '' and ${condition})`
  const anyIds = () => context.bind(fields.map(({ id }) => id))
  const problems: Value[] = []
  const conditions = values.flatMap(value => {
    if (isNone(value)) return [`not ${valued(anyIds(), 'true')}`]
    let isReadable = false
    const ofTypes = [...byType].flatMap(([typeId, ofType]) => {
      const renderer = rendererOf(typeId) ?? 'TEXT'
      const condition = valueCondition(renderer, value, ofType, context)
      if (condition === undefined) return []
      isReadable = true
      const ids = context.bind(ofType.map(({ id }) => id))
      if (condition === 'unchecked')
        return [`not ${valued(ids, 'true')} and t.project_id = any(${context.bind(ofType.map(each => each.projectId))}::bigint[])`]
      return [valued(ids, condition)]
    })
    if (!isReadable) problems.push(value)
    return ofTypes
  })
  const [problem] = problems
  if (problem) throw new QueryError(`This field cannot be compared with '${textOf(problem)}'`, context.spanOf(problem))
  return `(${conditions.join(' or ')})`
}

/** SQL about `v.value`; undefined when this type cannot be compared with the value. */
function valueCondition(
  renderer: Renderer,
  value: Value,
  fields: readonly FieldOfKey[],
  { bind, clock, user }: Context,
): string | undefined {
  if (renderer === 'NUMBER') return numberCondition(`(${numberOf('v.value')})`, value, bind)
  if (renderer === 'DATE') return dateCondition('v.value', value, bind, clock)
  if (value.kind === 'range' || value.kind === 'compare') return undefined
  const text = value.text
  switch (renderer) {
    case 'CHECKBOX':
      if (/^(1|yes|true|on)$/i.test(text)) return "v.value = '1'"
      return /^(0|no|false|off)$/i.test(text) ? 'unchecked' : undefined
    case 'SELECT':
    case 'MULTISELECT': {
      const options = `field f cross join lateral jsonb_array_elements(f.options) o
        where f.organization_id = $1 and f.id = any(${bind(fields.map(({ id }) => id))}::bigint[])`
      const wanted = `any(${anyOf([text], `select unnest(array[o->>'value', o->>'label']) from ${options}`, bind)})`
      // An array, so that the options are read once and not for each value. Each field has its own.
      const chosen = (option: string) => `array(select f.id || ' ' || ${option} from ${options}
        and (${caseless("o->>'value'")} = ${wanted} or ${caseless("o->>'label'")} = ${wanted}))`
      if (renderer === 'SELECT') return `v.field_id || ' ' || v.value = any(${chosen("(o->>'value')")})`
      // By CASE, so that no value of another field is read as a list.
      return `exists (select from unnest(${chosen("(o->>'value')")}) as chosen (option)
        where case when starts_with(option, v.field_id || ' ') then v.value::jsonb ? substr(option, length(v.field_id || ' ') + 1) end)`
    }
    case 'USER':
      if (value.kind === 'text' && text.toLowerCase() === 'me') return `v.value = ${user}::text`
      return `v.value = any(array(select u.id::text from user_account u where ${isPerson('u', [text], bind)}))`
    default:
      return `v.value ilike ${bind(likeContaining(text))}`
  }
}

/** Days as `YYYY-MM-DD` compare like texts. `7d` lies ahead: `<7d` is sooner than in a week. */
function dateCondition(day: string, value: Value, bind: Bind, clock: Clock): string | undefined {
  const bounds = boundsOf(value, text => {
    const period = periodOf(dayAfter(text, clock) ?? text, clock)
    return period && { from: () => bind(period.from), to: () => bind(period.to) }
  })
  return bounds && isWithin(day, bounds)
}
