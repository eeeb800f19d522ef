import { expect, test } from 'vitest'
import { addSuccessor, pathBetween, type Successors } from './link-path.ts'

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
