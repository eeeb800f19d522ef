import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { isDay } from '@tessera/contract/projects/field-values'
import type { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { addDays, daysBetween, todayOf } from '../../lib/display/days.ts'

type Day = Response<typeof getProjectStatistics>['Days'][number]

/** Days from the first to the last, inclusive, as `2026-11-22`. */
export interface Range {
  from: string
  to: string
}
/** Several days of a chart in one: the sums of the events, and the phases at the end. */
export interface Bucket extends Range {
  created: number
  closed: number
  proposed: number
  active: number
  inactive: number
}

/** Up to so many days there is a column per day; longer ranges have one per week. */
const daily = 45

/** Why these two texts are no range for charts; undefined when they are one. */
export function problemOfRange({ from, to }: Range): 'incomplete' | 'order' | 'length' | undefined {
  if (!isDay(from) || !isDay(to)) return 'incomplete'
  if (from > to) return 'order'
  return daysBetween(from, to) < limits.statisticDays ? undefined : 'length'
}

/** The range in the address: `days` up to today, or `from` and `to`. Without a valid range, the last 90 days. */
export function readRange(search: URLSearchParams, now = todayOf()): Range & { days: string } {
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? '']
  if (problemOfRange({ from, to }) === undefined) return { from, to, days: 'own' }
  const days = ['30', '365'].find(known => known === search.get('days')) ?? '90'
  return { from: addDays(now, 1 - Number(days)), to: now, days }
}

/** The days, one by one or week by week; the last week ends with the range, and the first may be shorter. */
export function bucketsOf(days: readonly Day[]): Bucket[] {
  const size = days.length > daily ? 7 : 1
  const groups: Day[][] = []
  for (let end = days.length; end > 0; end -= size) groups.unshift(days.slice(Math.max(0, end - size), end))
  return groups.flatMap(group => {
    const [first, last] = [group[0], group.at(-1)]
    if (!first || !last) return []
    const sum = (of: (day: Day) => number) => group.reduce((total, day) => total + of(day), 0)
    return {
      from: first.Day,
      to: last.Day,
      created: sum(({ Created }) => Created),
      closed: sum(({ Closed }) => Closed),
      proposed: last.Proposed,
      active: last.Active,
      inactive: last.Inactive,
    }
  })
}

/** The ticks of an axis from 0 to at least `most`: at most five round numbers. */
export function ticksTo(most: number): number[] {
  const rough = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough) ?? rough)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}
