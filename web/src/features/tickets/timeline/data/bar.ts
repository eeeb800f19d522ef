import { isDay } from '@tessera/contract/projects/field-values'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { addDays, daysBetween } from '../../../../lib/display/days.ts'
import { formatDay } from '../../../../lib/display/format.ts'
import type { DateField } from '../../dates/date-fields.ts'
import { type Days, dayOf } from '../../dates/dated-tickets.ts'
import { rangeName } from '../../dates/days/day-names.ts'
import { isInReach } from '../../dates/days/weeks.ts'
import { nameOf } from '../../ticket.ts'
import type { Window } from '../timeline-days.ts'

/** The fields whose days bars go from and to. */
export interface TwoFields {
  start: DateField
  end: DateField
}

/** The days of a bar; one of them may be ''. */
export interface Bar {
  start: string
  end: string
}

export function barOf(ticket: QueriedTicket, { start, end }: TwoFields): Bar {
  // A field that once had another type may still have other texts.
  const dayIn = (day: string) => (isDay(day) ? day : '')
  return { start: dayIn(dayOf(ticket, start.key)), end: dayIn(dayOf(ticket, end.key)) }
}
/** The values of the fields; a field without a day, before and after, is left out. */
export function valuesOf(bar: Bar, other: Bar, { start, end }: TwoFields): Days {
  return {
    ...((bar.start || other.start) && { [start.key]: bar.start }),
    ...((bar.end || other.end) && { [end.key]: bar.end }),
  }
}

/** The day on which the work starts: its only one where it has one. */
export function firstOf({ start, end }: Bar) {
  return start || end
}
export function lastOf({ start, end }: Bar) {
  return end || start
}
export function endsBeforeStart(bar: Bar) {
  return lastOf(bar) < firstOf(bar)
}

/** Where a bar is drawn, in days from the first one in sight. */
export interface BarPlace {
  at: number
  days: number
  /** It has one day only. */
  isPoint: boolean
  /** It begins before the days in sight. */
  isCutBefore: boolean
  isCutAfter: boolean
}
/** Undefined if no day of it is in sight. A bar that ends before it starts is drawn between its days. */
export function placeOf(bar: Bar, { from, count }: Window): BarPlace | undefined {
  const [first, last] = [firstOf(bar), lastOf(bar)].sort() as [string, string]
  if (!first) return
  const [begin, end] = [daysBetween(from, first), daysBetween(from, last) + 1]
  if (end <= 0 || begin >= count) return
  const at = Math.max(0, begin)
  return { at, days: Math.min(count, end) - at, isPoint: !bar.start || !bar.end, isCutBefore: begin < 0, isCutAfter: end > count }
}

/** `Nov 3 – 9, 2026`, or the one day. */
export function barName(bar: Bar) {
  const [first, last] = [firstOf(bar), lastOf(bar)]
  return first <= last ? rangeName(first, last) : `${formatDay(first)} – ${formatDay(last)}`
}
/** `Nov 3 – 9, 2026`, `From Nov 3, 2026` or `Until Nov 9, 2026`. */
export function barWords(bar: Bar) {
  if (!bar.end) return `From ${formatDay(bar.start)}`
  return bar.start ? barName(bar) : `Until ${formatDay(bar.end)}`
}

/** In the order of a timeline: by start, then by end. */
export function inOrder(tickets: readonly QueriedTicket[], fields: TwoFields) {
  const keyOf = (ticket: QueriedTicket) => {
    const bar = barOf(ticket, fields)
    return `${firstOf(bar)} ${lastOf(bar)}`
  }
  return [...tickets].sort((one, other) => keyOf(one).localeCompare(keyOf(other)) || one.id - other.id)
}

/** What of a bar is carried. */
export type Part = 'bar' | 'start' | 'end'

/** The bar after carrying a part of it by a number of days. An end that it does not have yet begins at the other one. */
export function carried(bar: Bar, part: Part, by: number): Bar {
  const later = (day: string) => day && addDays(day, by)
  if (part === 'start') return { ...bar, start: later(firstOf(bar)) }
  if (part === 'end') return { ...bar, end: later(lastOf(bar)) }
  return { start: later(bar.start), end: later(bar.end) }
}

/** Why a ticket cannot have these days. */
export function refusalOf(ticket: QueriedTicket, bar: Bar) {
  return endsBeforeStart(bar) ? `${nameOf(ticket)} would end before it starts` : undefined
}

/** Whether a carried bar stays in sight, and within the years that a query can name. */
export function isInSight(bar: Bar, window: Window) {
  return placeOf(bar, window) !== undefined && isInReach(firstOf(bar)) && isInReach(lastOf(bar))
}
