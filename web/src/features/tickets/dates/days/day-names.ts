import { formatDay } from '../../../../lib/display/format.ts'
import { weekdayOf } from './weeks.ts'

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export function weekdayName(day: string) {
  return weekdays[weekdayOf(day) - 1] ?? ''
}
export function monthName(day: string) {
  return months[Number(day.slice(5, 7)) - 1] ?? ''
}
/** The day of the month. */
export function numberOf(day: string) {
  return Number(day.slice(8))
}

/** `November 30`. */
export function dateName(day: string) {
  return `${monthName(day)} ${numberOf(day)}`
}
/** `Monday, November 30`. */
export function dayName(day: string) {
  return `${weekdayName(day)}, ${dateName(day)}`
}
/** `30`; `Dec 1` for the first day of a month. */
export function shortDay(day: string) {
  return numberOf(day) === 1 ? `${monthName(day).slice(0, 3)} 1` : String(numberOf(day))
}

/** `Nov 23 – 29, 2026`, `Nov 30 – Dec 6, 2026`, or `Nov 30, 2026` of one day. */
export function rangeName(from: string, to: string) {
  if (from === to) return formatDay(from)
  const short = (one: string) => `${monthName(one).slice(0, 3)} ${numberOf(one)}`
  const [start, end] = [from.slice(0, 4), to.slice(0, 4)]
  if (start !== end) return `${short(from)}, ${start} – ${short(to)}, ${end}`
  return `${short(from)} – ${from.slice(0, 7) === to.slice(0, 7) ? numberOf(to) : short(to)}, ${end}`
}
