import { expect, test } from 'vitest'
import { bucketsOf, readRange, ticksTo } from './range.ts'

const read = (search: string) => readRange(new URLSearchParams(search), '2026-11-22')

test('the range of the address, or the last 90 days', () => {
  expect(read('')).toEqual({ from: '2026-08-25', to: '2026-11-22', days: '90' })
  expect(read('days=30')).toEqual({ from: '2026-10-24', to: '2026-11-22', days: '30' })
  expect(read('from=2024-02-29&to=2024-02-29')).toEqual({ from: '2024-02-29', to: '2024-02-29', days: 'own' })
  for (const none of [
    'days=31',
    'from=2026-01-02&to=2026-01-01',
    'from=2026-02-30&to=2026-03-01',
    'from=2020-01-01&to=2026-01-01',
    'from=x',
  ])
    expect(read(none).days).toBe('90')
})

test('long ranges go by week: events are added up, phases are those of the last day', () => {
  const days = Array.from({ length: 60 }, (_, index) => ({
    Day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    Created: 1,
    Closed: 2,
    Reopened: 0,
    Proposed: index,
    Active: 0,
    Inactive: 0,
  }))
  const buckets = bucketsOf(days)
  expect(buckets).toHaveLength(9)
  expect(buckets[0]).toEqual({ from: '2026-01-01', to: '2026-01-04', created: 4, closed: 8, proposed: 3, active: 0, inactive: 0 })
  expect(buckets.at(-1)).toMatchObject({ from: '2026-02-23', to: '2026-03-01', created: 7, proposed: 59 })
  expect(bucketsOf(days.slice(0, 30))).toHaveLength(30)
  expect(bucketsOf([])).toEqual([])
})

test('an axis has at most five round numbers, and room for the highest', () => {
  expect([ticksTo(0), ticksTo(1), ticksTo(7), ticksTo(40), ticksTo(1234)]).toEqual([
    [0, 1],
    [0, 1],
    [0, 2, 4, 6, 8],
    [0, 10, 20, 30, 40],
    [0, 500, 1000, 1500],
  ])
})
