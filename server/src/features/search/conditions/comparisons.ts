import type { Value } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'

export function isNone(value: Value) {
  return value.kind === 'text' && /^(none|empty)$/i.test(value.text)
}
export function textOf(value: Value): string {
  if (value.kind === 'range') return `${value.from}..${value.to}`
  return value.kind === 'compare' ? value.operator + value.text : value.text
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
    /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text)) ? bind(text) : undefined
  const compared = (operator: string, text: string) => {
    const bound = read(text)
    return bound && `${number} ${operator} ${bound}::numeric`
  }
  if (value.kind === 'compare') return compared(value.operator, value.text)
  if (value.kind !== 'range') return compared('=', value.text)
  const ends = [value.from === '' ? 'true' : compared('>=', value.from), value.to === '' ? 'true' : compared('<=', value.to)]
  return ends.includes(undefined) ? undefined : `(${ends.join(' and ')})`
}
