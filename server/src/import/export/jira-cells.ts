import { isDay } from '@tessera/contract/projects/field-values'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** No date is longer, and the patterns take quadratic time. */
const longestDate = 60
/** `16/Jul/15 06:23` or `16/Jul/15 6:23 AM`. */
const jiraDate =
  /^\s*(?<day>\d{1,2})\/(?<month>[A-Za-z]{3})[a-z]*\/(?<year>\d{2}|\d{4})(?:[ ,]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?\s*(?<half>[AaPp][Mm])?)?\s*$/
/** The end of a time with its zone: `06:23Z`, `06:23:00.000+02:00`. */
const timeWithZone = /\dT?\d*:\d+.*(Z|[+-]\d{2}:?\d{2})$/

/**
 * Jira's dates, `16/Jul/15 06:23`, `16/Jul/15 6:23 AM`, and ISO 8601; UTC where no time zone is given. Undefined for anything else, and for dates
 * that a ticket cannot have: times are seconds since 1970, years have four digits.
 */
export function parseDate(text: string): Date | undefined {
  if (text.length > longestDate) return undefined
  const parts = jiraDate.exec(text)?.groups
  const date = parts ? dateOfParts(parts) : isoDate(text.trim())
  return date && date.getTime() >= 0 && date.getUTCFullYear() <= 9999 ? date : undefined
}

/** Undefined for a date that does not exist, such as February 31. */
function dateOfParts(parts: Record<string, string | undefined>): Date | undefined {
  const month = months.indexOf((parts.month ?? '').toLowerCase())
  const year = Number(parts.year) + (parts.year?.length === 2 ? 2000 : 0)
  const [day, minute, second] = [Number(parts.day), Number(parts.minute ?? 0), Number(parts.second ?? 0)]
  const hour = hourOf(Number(parts.hour ?? 0), parts.half?.toLowerCase())
  const date = new Date(Date.UTC(year, month, day, hour, minute, second))
  const isReal = month >= 0 && date.getUTCDate() === day && hour < 24 && minute < 60
  return isReal ? date : undefined
}

/** On the clock of 24 hours: 12 AM is 0, 12 PM is 12. */
function hourOf(hour: number, half: string | undefined) {
  if (half === undefined) return hour
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

function isoDate(text: string): Date | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  // JavaScript reads February 31 as March 3.
  if (!day || !isDay(day)) return undefined
  const date = new Date(timeWithZone.test(text) ? text : inUtc(text))
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** JavaScript reads a day as UTC, but a time without a zone as local. */
function inUtc(text: string) {
  return text.includes(':') ? `${text.replace(' ', 'T')}Z` : text.replace(' ', 'T')
}

/** `date;author;text`, as Jira writes a comment. Undefined when the cell is not of this form. */
export function parseComment(cell: string): { at: Date; author: string; text: string } | undefined {
  const match = /^([^;]{6,40});([^;\r\n]{0,200});([\s\S]*)$/.exec(cell)
  const at = match?.[1] === undefined ? undefined : parseDate(match[1])
  return at && match ? { at, author: match[2]?.trim() ?? '', text: match[3] ?? '' } : undefined
}
