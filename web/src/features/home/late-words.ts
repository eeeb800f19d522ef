import { counted, formatDay } from '../../lib/display/format.ts'

const day = 24 * 60 * 60 * 1000

/** `due Jan 31, 2026, 12 days late`, of a due date that has passed. */
export function lateWords(due: string, now = new Date()) {
  const [year = 0, month = 1, date = 1] = due.split('-').map(Number)
  // A day may have 23 hours.
  const days = Math.round(
    (new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() - new Date(year, month - 1, date).getTime()) / day,
  )
  return `due ${formatDay(due)}, ${counted(days, 'day')} late`
}
