import { addDays } from '../../../../lib/display/days.ts'

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: string) {
  return dateOf(day).getUTCDay() || 7
}

interface WeekInfo {
  firstDay: number
  weekend: readonly number[]
}
/** What the browser knows about weeks of a language: browsers have the one or the other, or neither. */
function weekInfoOf(language: string) {
  try {
    const locale = new Intl.Locale(language) as Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo }
    return locale.getWeekInfo?.() ?? locale.weekInfo
  } catch {
    // Not a language: WebKit on Linux reports `C` in the locale of that name.
    return undefined
  }
}

/** On which weekday a week begins, as the browser's language has it: 1 for Monday, also where the browser does not know. */
export function firstWeekday(language = navigator.language): number {
  return weekInfoOf(language)?.firstDay ?? 1
}

/** The weekdays on which people usually do not work, as the browser's language has it: 6 and 7 where the browser does not know. */
export function weekend(language = navigator.language): readonly number[] {
  return weekInfoOf(language)?.weekend ?? [6, 7]
}

/** The first day of the day's week. */
export function startOfWeek(day: string, first: number) {
  return addDays(day, -((weekdayOf(day) - first + 7) % 7))
}

const [firstYear, lastYear] = [1000, 9998]
/** Whether the day is in a year that addresses and queries can name, with room for the days around it. */
export function isInReach(day: string) {
  return Number(day.slice(0, 4)) >= firstYear && Number(day.slice(0, 4)) <= lastYear
}

/** The day that the text names, or undefined: `2026-02-30` is none. */
export function readDay(text: string) {
  const date = dateOf(text)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
  return isDay && isInReach(text) ? text : undefined
}
