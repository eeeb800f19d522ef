import { markWords } from '@tessera/contract/query-language/marks'
import { expect, test } from 'vitest'
import { countOf, spokenCount, wordsToMark } from './found.ts'

test('an inexact count is shown with a plus and announced as "more than"', () => {
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

test.each([
  ['softhyphen', 'a soft\u00adhyphen', 'a <soft\u00adhyphen>'],
  ['مدرس', 'يا مُدَرِّس هنا', 'يا <مُدَرِّس> هنا'],
  ['🚀 now', 'deploy🚀 now', 'deploy<🚀> <now>'],
  ['école', 'Une e\u0301cole', 'Une <e\u0301cole>'],
  ['버스', '새 버스 노선', '새 <버스> 노선'],
  ['की', 'का की', 'का <की>'],
  ['abc', '会議室abc', '会議室<abc>'],
])('%s is marked as the search finds it', (query, title, marked) => {
  const pieces = markWords(title, wordsToMark(query))
  expect(pieces.map(({ Text, Mark }) => (Mark ? `<${Text}>` : Text)).join('')).toBe(marked)
})
