import { expect, test } from 'vitest'
import { addSuccessor, kindSeenFrom, pathBetween, type Successors, shownKinds, storedLink } from './rules.ts'

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

test('the shortest path along links', () => {
  const successors: Successors = new Map()
  for (const [from, to] of [
    [1, 2],
    [2, 3],
    [3, 4],
    [1, 3],
    [4, 2],
  ] as const)
    addSuccessor(successors, { from, to })
  expect(pathBetween(successors, 1, 4)).toEqual([1, 3, 4])
  expect(pathBetween(successors, 1, 1)).toEqual([1])
  expect(pathBetween(successors, 2, 1)).toBeUndefined()
})
