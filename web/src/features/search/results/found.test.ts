import { expect, test } from 'vitest'
import { countOf, spokenCount } from './found.ts'

test('a count that is not exact is read with a plus, and told as more than that', () => {
  const found = (Total: number, TotalIsExact: 0 | 1) => ({ Tickets: [], NextCursor: null, Total, TotalIsExact })
  const words = [found(1000, 0), found(1000, 1), found(1, 1), found(0, 1), undefined].map(each => [countOf(each), spokenCount(each)])
  expect(words).toEqual([
    ['1,000+ tickets', 'More than 1,000 tickets'],
    ['1,000 tickets', '1,000 tickets'],
    ['1 ticket', '1 ticket'],
    ['No tickets', 'No tickets'],
    ['No tickets', 'No tickets'],
  ])
})
