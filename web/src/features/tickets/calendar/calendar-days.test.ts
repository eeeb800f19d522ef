import { afterEach, expect, test } from 'vitest'
import { addDays, todayOf } from '../../../lib/display/days.ts'
import { firstWeekday } from '../dates/days/weeks.ts'
import { daysOf, readSight, sightName, stepped, writeSight } from './calendar-days.ts'

const zone = process.env.TZ
afterEach(() => {
  process.env.TZ = zone
})

const ends = (day: string, first = 1) => {
  const days = daysOf({ span: 'month', day }, first)
  return [days[0], days.at(-1), days.length / 7]
}

test('a month has whole weeks, which begin where the language begins them', () => {
  expect(ends('2026-11-30')).toEqual(['2026-10-26', '2026-12-06', 6])
  expect(ends('2026-11-01', 7)).toEqual(['2026-11-01', '2026-12-05', 5])
  expect(ends('2026-11-01', 6)).toEqual(['2026-10-31', '2026-12-04', 5])
  // 28 days that begin on a Monday.
  expect(ends('2027-02-10')).toEqual(['2027-02-01', '2027-02-28', 4])
  // The year ends within a week.
  expect(ends('2026-12-31')).toEqual(['2026-11-30', '2027-01-03', 5])
  expect([firstWeekday('de-DE'), firstWeekday('en-US'), firstWeekday('fa-IR')]).toEqual([1, 7, 6])
})

test('days are counted over leap days, the ends of years and changes of the clock, wherever the browser is', () => {
  for (const TZ of ['America/Los_Angeles', 'Pacific/Kiritimati', 'Europe/Berlin', 'UTC']) {
    process.env.TZ = TZ
    expect([addDays('2028-02-28', 1), addDays('2028-02-29', 1), addDays('2027-02-28', 1)]).toEqual([
      '2028-02-29',
      '2028-03-01',
      '2027-03-01',
    ])
    expect([addDays('2026-12-31', 1), addDays('2027-01-01', -1)]).toEqual(['2027-01-01', '2026-12-31'])
    // The clock changes in Los Angeles on March 8 and November 1, in Berlin on March 29 and October 25.
    for (const month of ['2026-03-01', '2026-10-01', '2026-11-01']) {
      const days = daysOf({ span: 'month', day: month }, 1)
      expect(new Set(days).size).toBe(days.length)
      expect(days.map(day => addDays(day, 1)).slice(0, -1)).toEqual(days.slice(1))
    }
  }
})

test('today is the day of the browser’s zone', () => {
  const moment = new Date('2026-11-30T23:30:00Z')
  process.env.TZ = 'Europe/Berlin'
  expect(todayOf(moment)).toBe('2026-12-01')
  process.env.TZ = 'America/Los_Angeles'
  expect(todayOf(moment)).toBe('2026-11-30')
})

test('the address has a month, a week, or nothing for the present month', () => {
  const today = '2026-11-28'
  const month = { span: 'month', day: '2027-02-01' } as const
  const week = { span: 'week', day: '2026-12-31' } as const
  for (const sight of [month, week]) expect(readSight(writeSight(sight, today), today)).toEqual(sight)
  const present = { span: 'month', day: today } as const
  expect(writeSight({ ...present, day: '2026-11-01' }, today)).toBe('')
  for (const text of [null, '', '2026-11', '2026', '2026-13', '2026-02-30', '0999-12', '9999-01', 'x'])
    expect([text, readSight(text, today)]).toEqual([text, present])
})

test('months and weeks follow each other', () => {
  expect(stepped({ span: 'month', day: '2026-12-31' }, 1)).toEqual({ span: 'month', day: '2027-01-01' })
  expect(stepped({ span: 'month', day: '2027-03-31' }, -1)).toEqual({ span: 'month', day: '2027-02-01' })
  expect(stepped({ span: 'week', day: '2026-12-31' }, 1)).toEqual({ span: 'week', day: '2027-01-07' })
  expect(stepped({ span: 'month', day: '9998-12-01' }, 1)).toBeUndefined()
})

test('the title names the month, or the ends of the week', () => {
  const title = (sight: Parameters<typeof sightName>[0]) => sightName(sight, daysOf(sight, 1))
  expect(title({ span: 'month', day: '2026-11-28' })).toBe('November 2026')
  expect(title({ span: 'week', day: '2026-11-25' })).toBe('Nov 23 – 29, 2026')
  expect(title({ span: 'week', day: '2026-11-30' })).toBe('Nov 30 – Dec 6, 2026')
  expect(title({ span: 'week', day: '2026-12-31' })).toBe('Dec 28, 2026 – Jan 3, 2027')
})
