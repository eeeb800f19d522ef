import type { Value } from '@tessera/contract/query-language/tree'

/** The clock of a query: the person's time zone decides which day it is. */
export interface Clock {
  now: Date
  zone: string
  /** The zone as PostgreSQL names it. */
  sqlZone: string
}

/** A moment or day that a query names: calendar text in the person's zone. `to` is where it ends, exclusive: `infinity` after the last day. */
interface Period {
  from: string
  to: string
}

/**
 * SQL: the moment when the day begins. Where clocks go back from 1:00 to 0:00, as in the Azores, it has two midnights, and PostgreSQL takes the second; an
 * hour after 23:00 is the first. Where that is no midnight, clocks change between the two, as in Greenland.
 */
export function startOfDay(day: string, zone: string) {
  const hourAfter23 = `((${day}::timestamp - interval '1 hour') at time zone ${zone} + interval '1 hour')`
  return `(case when ${hourAfter23} at time zone ${zone} = ${day}::timestamp then ${hourAfter23} else ${day}::timestamp at time zone ${zone} end)`
}

/** SQL: where a day or moment begins and where it ends. Functions, because calling one binds a parameter, and every parameter must be used. */
export interface Ends {
  from(): string
  to(): string
}

/** SQL: not before `after`, and before `before`. */
export interface Bounds {
  after?: string | undefined
  before?: string | undefined
}

/** The bounds that a value sets; undefined if `endsOf` cannot read one of its texts. */
export function boundsOf(value: Value, endsOf: (text: string) => Ends | undefined): Bounds | undefined {
  if (value.kind === 'range') {
    const [from, to] = [value.from, value.to].map(text => (text === '' ? null : endsOf(text)))
    return from === undefined || to === undefined ? undefined : { after: from?.from(), before: to?.to() }
  }
  const at = endsOf(value.text)
  if (!at) return undefined
  if (value.kind !== 'compare') return { after: at.from(), before: at.to() }
  const { operator } = value
  if (operator.startsWith('<')) return { before: operator === '<' ? at.from() : at.to() }
  return { after: operator === '>' ? at.to() : at.from() }
}

/** SQL: the column lies within the bounds. */
export function isWithin(column: string, { after, before }: Bounds) {
  return `(${[after && `${column} >= ${after}`, before && `${column} < ${before}`].filter(Boolean).join(' and ')})`
}

const units = { h: 1 / 24, d: 1, w: 7 } as const
const span = /^(-?\d{1,4})([hdwmy])$/i

/** Days from today. */
const namedDays: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
])

const zones = new Set(Intl.supportedValuesOf('timeZone'))

/** The clock of a zone such as `Europe/Berlin`, an old name of it, or an offset such as `+05:30`; undefined for anything else. */
export function clockIn(named: string): Clock | undefined {
  let zone: string
  try {
    zone = new Intl.DateTimeFormat('en', { timeZone: named }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
  const isOffset = /^[+-]/.test(zone)
  if (!isOffset && !zones.has(zone) && !/^(UTC|Etc\/GMT[+-]\d+)$/.test(zone)) return undefined
  // PostgreSQL counts an offset to the west.
  const sqlZone = isOffset ? (zone.startsWith('+') ? '-' : '+') + zone.slice(1) : zone
  return { now: new Date(), zone, sqlZone }
}

/** `2026-12-01`, `2026-12`, `2026`, `today`, `yesterday`, `tomorrow`; undefined for anything else. */
export function periodOf(text: string, clock: Clock): Period | undefined {
  const day = namedDays.get(text.toLowerCase())
  if (day !== undefined) return days(shifted(today(clock), day), 1)
  const match = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text)
  if (!match) return undefined
  const [, year = '', month, date] = match
  const from = new Date(`${year}-${month ?? '01'}-${date ?? '01'}T00:00:00Z`)
  if (Number.isNaN(from.getTime()) || from.getUTCFullYear() < 1 || (date !== undefined && dayText(from) !== text)) return undefined
  if (date !== undefined) return days(from, 1)
  const to = new Date(from)
  if (month === undefined) to.setUTCFullYear(to.getUTCFullYear() + 1)
  else to.setUTCMonth(to.getUTCMonth() + 1)
  return { from: dayText(from), to: endText(to) }
}

/** `7d`, `2w`, `3m`, `1y`, `12h`: that long before now, in the form of PostgreSQL's intervals; undefined for anything else. */
export function intervalOf(text: string): string | undefined {
  const [, count, unit = ''] = span.exec(text) ?? []
  if (count === undefined || Math.abs(Number(count)) > (/y/i.test(unit) ? 1000 : 9999)) return undefined
  const name = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' }[unit.toLowerCase()]
  return `${count} ${name}`
}

/** The day that lies this far from today: `7d` in a week, `-7d` a week ago; undefined for anything else. */
export function dayAfter(text: string, clock: Clock): string | undefined {
  const [, count, unit = ''] = span.exec(text) ?? []
  if (count === undefined) return undefined
  const at = today(clock)
  const letter = unit.toLowerCase()
  if (letter === 'm' || letter === 'y') addMonths(at, Number(count) * (letter === 'm' ? 1 : 12))
  else at.setUTCDate(at.getUTCDate() + Math.trunc(Number(count) * units[letter as keyof typeof units]))
  return at.getUTCFullYear() < 1 || at.getTime() > latest ? undefined : dayText(at)
}

/** As PostgreSQL does: the day of the month stays, or is the month's last one. */
function addMonths(at: Date, count: number) {
  const day = at.getUTCDate()
  at.setUTCMonth(at.getUTCMonth() + count)
  if (at.getUTCDate() !== day) at.setUTCDate(0)
}

const latest = Date.UTC(9999, 11, 31)

/** The person's day, as its midnight in UTC. */
export function today({ now, zone }: Clock) {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
  return new Date(`${parts}T00:00:00Z`)
}
function days(from: Date, count: number): Period {
  return { from: dayText(from), to: endText(shifted(from, count)) }
}
function shifted(day: Date, count: number) {
  return new Date(day.getTime() + count * 86_400_000)
}
/** A fifth digit of the year would be less as text; `infinity` is more than every day, as text and to PostgreSQL. */
function endText(day: Date) {
  return day.getTime() > latest ? 'infinity' : dayText(day)
}
function dayText(day: Date) {
  return day.toISOString().slice(0, 10)
}
