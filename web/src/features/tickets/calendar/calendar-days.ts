import { addDays } from '../../../lib/display/days.ts'
import { monthName, rangeName } from '../dates/days/day-names.ts'
import { isInReach, readDay, startOfWeek } from '../dates/days/weeks.ts'

export type Span = 'month' | 'week'

/** By how many days an arrow key goes forward. */
export const daysOfArrow: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** What a calendar shows: the month or the week of a day. */
export interface Sight {
  span: Span
  day: string
}

/** The first day of the month this many months later. */
function addMonths(day: string, count: number) {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 10)
}

/** The days in sight: whole weeks, of which a month has four to six. */
export function daysOf({ span, day }: Sight, first: number): string[] {
  const start = span === 'week' ? day : `${day.slice(0, 7)}-01`
  const end = span === 'week' ? day : addDays(addMonths(day, 1), -1)
  let at = startOfWeek(start, first)
  const days: string[] = []
  while (at <= end || days.length % 7 !== 0) {
    days.push(at)
    at = addDays(at, 1)
  }
  return days
}

/** The month or week before or after; undefined where the calendar ends. */
export function stepped({ span, day }: Sight, by: 1 | -1): Sight | undefined {
  const next = span === 'week' ? addDays(day, 7 * by) : addMonths(day, by)
  return isInReach(next) ? { span, day: next } : undefined
}

/** Reads `2026-12`, a month at its first day, or `2026-12-31`, its week; anything else is the present month, at today. */
export function readSight(text: string | null, today: string): Sight {
  const [, month, rest] = /^(\d{4}-\d\d)(-\d\d)?$/.exec(text ?? '') ?? []
  const day = readDay(`${month}${rest ?? '-01'}`)
  if (!day || (!rest && month === today.slice(0, 7))) return { span: 'month', day: today }
  return { span: rest ? 'week' : 'month', day }
}
/** Writes it; '' for the present month. */
export function writeSight({ span, day }: Sight, today: string) {
  if (span === 'week') return day
  return day.slice(0, 7) === today.slice(0, 7) ? '' : day.slice(0, 7)
}

/** `November 2026`; of a week `Nov 30 – Dec 6, 2026`. */
export function sightName({ span, day }: Sight, days: readonly string[]) {
  if (span === 'month') return `${monthName(day)} ${day.slice(0, 4)}`
  return rangeName(days[0] ?? day, days.at(-1) ?? day)
}
