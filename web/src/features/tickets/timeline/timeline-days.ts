import { addDays, daysBetween } from '../../../lib/display/days.ts'
import { monthName, numberOf, weekdayName } from '../dates/days/day-names.ts'
import { isInReach, readDay, startOfWeek, weekdayOf } from '../dates/days/weeks.ts'

const zooms = ['week', 'month', 'quarter'] as const
export type Zoom = (typeof zooms)[number]

/** What a timeline shows: the weeks around a day. */
export interface Sight {
  zoom: Zoom
  day: string
}

/** How many weeks are shown, how many of them before the week of the day, and how many one step is. */
const extents: Readonly<Record<Zoom, { weeks: number; before: number; step: number }>> = {
  week: { weeks: 2, before: 0, step: 1 },
  month: { weeks: 6, before: 1, step: 4 },
  quarter: { weeks: 18, before: 3, step: 12 },
}

/** The days in sight, from and to inclusive. */
export interface Window {
  from: string
  to: string
  count: number
}
/** `first` is the weekday on which a week begins. */
export function windowOf({ zoom, day }: Sight, first: number): Window {
  const { weeks, before } = extents[zoom]
  const from = addDays(startOfWeek(day, first), -7 * before)
  return { from, to: addDays(from, 7 * weeks - 1), count: 7 * weeks }
}

/** The weeks before or after; undefined where the timeline ends. */
export function stepped({ zoom, day }: Sight, by: 1 | -1): Sight | undefined {
  const next = addDays(day, 7 * by * extents[zoom].step)
  return isInReach(next) ? { zoom, day: next } : undefined
}
/** What one step is: `week`, `4 weeks`. */
export function stepName(zoom: Zoom) {
  const { step } = extents[zoom]
  return step === 1 ? 'week' : `${step} weeks`
}

/** Reads `date`, a day or a month of a calendar, and `zoom`; anything else is a month's view of today. */
export function readSight(search: URLSearchParams, today: string): Sight {
  const text = search.get('date') ?? ''
  return {
    zoom: zooms.find(zoom => zoom === search.get('zoom')) ?? 'month',
    day: readDay(text.length === 7 ? `${text}-01` : text) ?? today,
  }
}
/** Writes both into the address; its other parameters are kept. */
export function writeSight(search: URLSearchParams, { zoom, day }: Sight, today: string) {
  const next = new URLSearchParams(search)
  next.delete('date')
  next.delete('zoom')
  if (day !== today) next.set('date', day)
  if (zoom !== 'month') next.set('zoom', zoom)
  return next
}

/** A part of the scale, in days from the first one in sight. */
export interface Tick {
  at: number
  days: number
  label: string
}

/** The months in sight; the first and the last one may be cut. */
export function monthsOf({ from, count }: Window): Tick[] {
  const months: Tick[] = []
  for (let at = 0; at < count; at++) {
    const day = addDays(from, at)
    const last = months.at(-1)
    if (last && numberOf(day) > 1) last.days++
    else months.push({ at, days: 1, label: `${monthName(day)} ${day.slice(0, 4)}` })
  }
  return months
}

/** What is written below the months: each day, or the first day of each week. */
export function ticksOf({ from, count }: Window, zoom: Zoom): Tick[] {
  const days = zoom === 'quarter' ? 7 : 1
  return Array.from({ length: count / days }, (_, index) => {
    const day = addDays(from, index * days)
    const label = zoom === 'week' ? `${weekdayName(day).slice(0, 3)} ${numberOf(day)}` : String(numberOf(day))
    return { at: index * days, days, label }
  })
}

/** Days on which people usually do not work: those that follow each other are one. */
export function restDays({ from, count }: Window, weekend: readonly number[]): Omit<Tick, 'label'>[] {
  const rests: Omit<Tick, 'label'>[] = []
  for (let at = 0; at < count; at++) {
    if (!weekend.includes(weekdayOf(addDays(from, at)))) continue
    const last = rests.at(-1)
    if (last && last.at + last.days === at) last.days++
    else rests.push({ at, days: 1 })
  }
  return rests
}

/** How many days after the first one in sight the day is; undefined out of sight. */
export function placeOfDay({ from, count }: Window, day: string) {
  const at = daysBetween(from, day)
  return at >= 0 && at < count ? at : undefined
}
