import { expect, test } from 'vitest'
import { kindSeenFrom, shownKinds, storedLink } from './link-kinds.ts'

test('a link is stored once, and each end has its own word for it', () => {
  for (const kind of shownKinds) {
    const link = storedLink(1, 2, kind)
    expect(kindSeenFrom(1, link)).toBe(kind)
    const other = kindSeenFrom(2, link)
    expect(storedLink(2, 1, other)).toEqual(link)
  }
  expect(kindSeenFrom(2, storedLink(1, 2, 'follows'))).toBe('precedes')
  expect(storedLink(9, 4, 'relates')).toEqual({ from: 4, to: 9, kind: 'relates' })
})
