import { expect, test } from 'vitest'
import { lateWords } from './late-words.ts'

test('a due date says how long ago it was, by the calendar', () => {
  const at = (month: number, date: number, hour: number) => new Date(2026, month - 1, date, hour, 30)
  expect(lateWords('2026-01-31', at(2, 1, 0))).toBe('due Jan 31, 2026, 1 day late')
  expect(lateWords('2026-01-31', at(2, 1, 23))).toBe('due Jan 31, 2026, 1 day late')
  expect(lateWords('2026-03-01', at(4, 1, 0))).toBe('due Mar 1, 2026, 31 days late')
  expect(lateWords('2023-01-01', at(1, 1, 12))).toBe('due Jan 1, 2023, 1,096 days late')
})
