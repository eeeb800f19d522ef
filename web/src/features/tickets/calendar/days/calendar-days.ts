import { addDays } from '../../../../lib/display/days.ts'

export type Span = 'month' | 'week'

/** What a calendar shows: the month or the week of a day. */
export interface Sight {
  span: Span
  day: string
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
const textOf = (date: Date) => date.toISOString().slice(0, 10)

/** The first day of the month this many months later. */
function addMonths(day: string, count: number) {
  const date = dateOf(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return textOf(date)
}

/** 1 for Monday to 7 for Sunday. */
function weekdayOf(day: string) {
  return dateOf(day).getUTCDay() || 7
}

/** On which weekday a week begins, as the browser's language has it: 1 for Monday, also where the browser does not know. */
export function firstWeekday(language = navigator.language): number {
  // Browsers have the one or the other, or neither.
  const locale = new Intl.Locale(language) as Intl.Locale & { weekInfo?: { firstDay: number }; getWeekInfo?: () => { firstDay: number } }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}

/** The days in sight: whole weeks, of which a month has four to six. */
export function daysOf({ span, day }: Sight, first: number): string[] {
  const start = span === 'week' ? day : `${day.slice(0, 7)}-01`
  const end = span === 'week' ? day : addDays(addMonths(day, 1), -1)
  let at = addDays(start, -((weekdayOf(start) - first + 7) % 7))
  const days: string[] = []
  while (at <= end || days.length % 7 !== 0) {
    days.push(at)
    at = addDays(at, 1)
  }
  return days
}

const [firstYear, lastYear] = [1000, 9998]
const isInReach = (day: string) => Number(day.slice(0, 4)) >= firstYear && Number(day.slice(0, 4)) <= lastYear

/** The month or week before or after; undefined where the calendar ends. */
export function stepped({ span, day }: Sight, by: 1 | -1): Sight | undefined {
  const next = span === 'week' ? addDays(day, 7 * by) : addMonths(day, by)
  return isInReach(next) ? { span, day: next } : undefined
}

/** The same time as a month or as a week: of a month, the week that has today, or else its first. */
export function spanned({ day, span }: Sight, to: Span, today: string): Sight {
  if (to === span) return { span, day }
  if (to === 'month') return { span: to, day }
  return { span: to, day: day.slice(0, 7) === today.slice(0, 7) ? today : `${day.slice(0, 7)}-01` }
}

/** Reads `2026-12`, a month, or `2026-12-31`, its week; anything else is the present month. */
export function readSight(text: string | null, today: string): Sight {
  const [, month, rest] = /^(\d{4}-\d\d)(-\d\d)?$/.exec(text ?? '') ?? []
  const day = `${month}${rest ?? '-01'}`
  const isDay = !Number.isNaN(dateOf(day).getTime()) && textOf(dateOf(day)) === day
  return isDay && isInReach(day) ? { span: rest ? 'week' : 'month', day } : { span: 'month', day: today }
}
/** Writes it; '' for the present month. */
export function writeSight({ span, day }: Sight, today: string) {
  if (span === 'week') return day
  return day.slice(0, 7) === today.slice(0, 7) ? '' : day.slice(0, 7)
}

export function weekdayName(day: string) {
  return weekdays[weekdayOf(day) - 1] ?? ''
}
const monthName = (day: string) => months[Number(day.slice(5, 7)) - 1] ?? ''
const numberOf = (day: string) => Number(day.slice(8))

/** `Monday, November 30`. */
export function dayName(day: string) {
  return `${weekdayName(day)}, ${monthName(day)} ${numberOf(day)}`
}
/** `30`; `Dec 1` for the first day of a month. */
export function shortDay(day: string) {
  return numberOf(day) === 1 ? `${monthName(day).slice(0, 3)} 1` : String(numberOf(day))
}

/** `November 2026`; of a week `Nov 30 – Dec 6, 2026`. */
export function sightName({ span, day }: Sight, days: readonly string[]) {
  if (span === 'month') return `${monthName(day)} ${day.slice(0, 4)}`
  const [from = day, to = day] = [days[0], days.at(-1)]
  const short = (one: string) => `${monthName(one).slice(0, 3)} ${numberOf(one)}`
  const [start, end] = [from.slice(0, 4), to.slice(0, 4)]
  if (start !== end) return `${short(from)}, ${start} – ${short(to)}, ${end}`
  return `${short(from)} – ${from.slice(0, 7) === to.slice(0, 7) ? numberOf(to) : short(to)}, ${end}`
}
