import { daysBetween, todayOf } from '../../lib/display/days.ts'
import { counted, formatDay } from '../../lib/display/format.ts'

/** `due Jan 31, 2026, 12 days late`, of a due date that has passed. */
export function lateWords(due: string, now = new Date()) {
  return `due ${formatDay(due)}, ${counted(daysBetween(due, todayOf(now)), 'day')} late`
}
