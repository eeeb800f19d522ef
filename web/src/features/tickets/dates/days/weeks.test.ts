import { expect, test } from 'vitest'
import { firstWeekday, weekend } from './weeks.ts'

test('a week begins on Monday and ends on Sunday where the browser reports no language', () => {
  for (const language of ['C', '', 'en-US@posix']) {
    expect(firstWeekday(language)).toBe(1)
    expect(weekend(language)).toEqual([6, 7])
  }
})
