import { expect, test } from 'vitest'
import { clockIn, dayAfter, periodOf } from './periods.ts'

test.each([
  ['1m', '2026-01-31', '2026-02-28'],
  ['-6m', '2026-08-31', '2026-02-28'],
  ['1y', '2028-02-29', '2029-02-28'],
  ['4y', '2028-02-29', '2032-02-29'],
  ['-1m', '2026-03-31', '2026-02-28'],
  ['1m', '2026-11-30', '2026-12-30'],
  ['13m', '2026-12-31', '2028-01-31'],
  ['2w', '2026-02-20', '2026-03-06'],
  ['-130y', '2026-01-31', '1896-01-31'],
])('%s from %s is %s', (text, today, day) => {
  expect(dayAfter(text, { now: new Date(`${today}T12:00:00Z`), zone: 'UTC', sqlZone: 'UTC' })).toBe(day)
})

test.each([
  ['0050', '0050-01-01', '0051-01-01'],
  ['0050-12', '0050-12-01', '0051-01-01'],
  ['2026-02', '2026-02-01', '2026-03-01'],
  ['9999', '9999-01-01', 'infinity'],
  ['9999-12', '9999-12-01', 'infinity'],
  ['9999-12-30', '9999-12-30', '9999-12-31'],
  ['9999-12-31', '9999-12-31', 'infinity'],
])('%s begins on %s and ends before %s', (text, from, to) => {
  expect(periodOf(text, clockIn('UTC') as NonNullable<ReturnType<typeof clockIn>>)).toEqual({ from, to })
})
