import { expect, test } from 'vitest'
import { monthsOf, placeOfDay, readSight, restDays, stepName, stepped, ticksOf, windowOf, writeSight } from './timeline-days.ts'

const today = '2026-11-28'

test('a window has whole weeks around its day, which begin where the language begins them', () => {
  expect(windowOf({ zoom: 'week', day: today }, 1)).toEqual({ from: '2026-11-23', to: '2026-12-06', count: 14 })
  expect(windowOf({ zoom: 'month', day: today }, 1)).toEqual({ from: '2026-11-16', to: '2026-12-27', count: 42 })
  expect(windowOf({ zoom: 'month', day: '2026-11-29' }, 7)).toEqual({ from: '2026-11-22', to: '2027-01-02', count: 42 })
  expect(windowOf({ zoom: 'quarter', day: today }, 1)).toEqual({ from: '2026-11-02', to: '2027-03-07', count: 126 })
})

test('a step goes on by a part of the window, up to the years that a query can name', () => {
  expect(stepped({ zoom: 'week', day: '2026-12-31' }, 1)?.day).toBe('2027-01-07')
  expect(stepped({ zoom: 'month', day: '2028-03-01' }, -1)?.day).toBe('2028-02-02')
  expect(stepped({ zoom: 'quarter', day: '2026-11-02' }, 1)?.day).toBe('2027-01-25')
  expect(stepped({ zoom: 'week', day: '9998-12-31' }, 1)).toBeUndefined()
  expect(stepped({ zoom: 'quarter', day: '1000-01-01' }, -1)).toBeUndefined()
  expect([stepName('week'), stepName('month'), stepName('quarter')]).toEqual(['week', '4 weeks', '12 weeks'])
})

test('the address has the day and the zoom, or nothing for a month’s view of today', () => {
  const read = (search: string) => readSight(new URLSearchParams(search), today)
  const written = (search: string, sight: Parameters<typeof writeSight>[1]) =>
    writeSight(new URLSearchParams(search), sight, today).toString()
  expect(read('date=2027-02-03&zoom=quarter')).toEqual({ zoom: 'quarter', day: '2027-02-03' })
  // A calendar's month.
  expect(read('date=2027-02')).toEqual({ zoom: 'month', day: '2027-02-01' })
  for (const search of ['', 'date=2026-02-30', 'date=x&zoom=year', 'date=9999-01-01', 'date=0999-01'])
    expect([search, read(search)]).toEqual([search, { zoom: 'month', day: today }])
  expect(written('q=a&date=2027-01-01&zoom=week', { zoom: 'month', day: today })).toBe('q=a')
  expect(written('q=a', { zoom: 'week', day: '2027-02-03' })).toBe('q=a&date=2027-02-03&zoom=week')
})

test('the scale names months, days and weeks', () => {
  const month = windowOf({ zoom: 'month', day: '2026-12-20' }, 1)
  expect(monthsOf(month)).toEqual([
    { at: 0, days: 25, label: 'December 2026' },
    { at: 25, days: 17, label: 'January 2027' },
  ])
  const week = windowOf({ zoom: 'week', day: today }, 1)
  expect(
    ticksOf(week, 'week')
      .map(({ label }) => label)
      .slice(6, 9),
  ).toEqual(['Sun 29', 'Mon 30', 'Tue 1'])
  const quarter = windowOf({ zoom: 'quarter', day: today }, 1)
  expect(ticksOf(quarter, 'quarter').slice(0, 3)).toEqual([
    { at: 0, days: 7, label: '2' },
    { at: 7, days: 7, label: '9' },
    { at: 14, days: 7, label: '16' },
  ])
  expect(restDays(week, [6, 7])).toEqual([
    { at: 5, days: 2 },
    { at: 12, days: 2 },
  ])
  // Two weeks from a Sunday to a Saturday.
  expect(restDays(windowOf({ zoom: 'week', day: today }, 7), [6, 7]).map(({ at, days }) => [at, days])).toEqual([
    [0, 1],
    [6, 2],
    [13, 1],
  ])
  expect([placeOfDay(week, '2026-11-23'), placeOfDay(week, '2026-12-06'), placeOfDay(week, '2026-12-07')]).toEqual([0, 13, undefined])
})
