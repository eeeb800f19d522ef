import { daysBetween } from '../../lib/display/days.ts'
import { counted, formatDay } from '../../lib/display/format.ts'

/** `due Jan 31, 2026, 12 days late`, of a due date that has passed by today. */
export function lateWords(due: string, today: string) {
  return `due ${formatDay(due)}, ${counted(daysBetween(due, today), 'day')} late`
}
