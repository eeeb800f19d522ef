import { propertyType, type Renderer, rendererOf } from '@tessera/contract/projects/project-config'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Match, QueryError, type Value } from '@tessera/contract/query-language/tree'
import { likeContaining } from '../../tickets/rules.ts'
import { boundsOf, type Clock, dayAfter, isWithin, periodOf } from '../dates/rules.ts'

/** Puts a value into the statement: `$5`. */
export type Bind = (value: unknown) => string

/** A field of one project that has the key which a query names. */
export interface FieldOfKey {
  id: number
  projectId: number
  key: string
  typeId: number
}

/** SQL: the types whose values the search reads as text. */
export const textTypes = [propertyType.TEXTMULTILINE, propertyType.TEXT, propertyType.URL].join()

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

export function isNone(value: Value) {
  return value.kind === 'text' && /^(none|empty)$/i.test(value.text)
}
export function textOf(value: Value): string {
  return value.kind === 'range' ? `${value.from}..${value.to}` : value.kind === 'compare' ? value.operator + value.text : value.text
}

/** SQL about `v.value`; undefined when this type cannot be compared with the value. */
function valueCondition(
  renderer: Renderer,
  value: Value,
  fields: readonly FieldOfKey[],
  { bind, clock, user }: Context,
): string | undefined {
  if (renderer === 'NUMBER') return numberCondition('search_number(v.value)', value, bind)
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
      return `exists (select from unnest(${chosen("to_json(o->>'value')::text")}) as chosen (option)
        where starts_with(option, v.field_id || ' ') and position(substr(option, length(v.field_id || ' ') + 1) in v.value) > 0)`
    }
    case 'USER':
      if (value.kind === 'text' && text.toLowerCase() === 'me') return `v.value = ${user}::text`
      return `v.value = any(array(select u.id::text from user_account u where ${isPerson('u', [text], bind)}))`
    default:
      return `v.value ilike ${bind(likeContaining(text))}`
  }
}

/** SQL: the name in a form for comparison without regard to case. Never fold the other side in JavaScript, which lowercases Σ and İ differently. */
export function caseless(name: string) {
  return `translate(lower(${name}), 'ς', 'σ')`
}
/**
 * SQL: an array of the names that are meant, to compare with a `caseless` name. `known` selects all names there are. A name that none of them is may
 * differ in accents as well: `uberblick` means 'Überblick', unless there is an 'Uberblick'. Accents are removed in that case only: it is slow.
 */
export function anyOf(names: readonly string[], known: string, bind: Bind) {
  const given = caseless('wanted')
  return `array(select unnest(case
    when exists (select from (${known}) same (name) where ${caseless('same.name')} = ${given}) then array[${given}]
    else ${given} || array(
      select ${caseless('alike.name')} from (${known}) alike (name) where search_fold(alike.name) = (select search_fold(wanted))) end)
    from unnest(${bind(names)}::text[]) wanted)`
}

/** SQL: the account has one of these logins or names. */
export function isPerson(u: string, names: readonly string[], bind: Bind) {
  const wanted = anyOf(
    names.map(name => name.replace(/^@/, '')),
    `select unnest(array[who.login, who.full_name]) from organization_member m join user_account who on who.id = m.user_id where m.organization_id = $1`,
    bind,
  )
  // Once, because it reads all members.
  return `array[${caseless(`${u}.login`)}, ${caseless(`${u}.full_name`)}] && ${wanted}`
}

export function numberCondition(number: string, value: Value, bind: Bind): string | undefined {
  const read = (text: string) =>
    /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text)) ? bind(Number(text)) : undefined
  const compared = (operator: string, text: string) => {
    const bound = read(text)
    return bound && `${number} ${operator} ${bound}::float8`
  }
  if (value.kind === 'compare') return compared(value.operator, value.text)
  if (value.kind !== 'range') return compared('=', value.text)
  const ends = [value.from === '' ? 'true' : compared('>=', value.from), value.to === '' ? 'true' : compared('<=', value.to)]
  return ends.includes(undefined) ? undefined : `(${ends.join(' and ')})`
}

/** Days as `YYYY-MM-DD` compare like texts. `7d` lies ahead: `<7d` is sooner than in a week. */
function dateCondition(day: string, value: Value, bind: Bind, clock: Clock): string | undefined {
  const bounds = boundsOf(value, text => {
    const period = periodOf(dayAfter(text, clock) ?? text, clock)
    return period && { from: () => bind(period.from), to: () => bind(period.to) }
  })
  return bounds && isWithin(day, bounds)
}
