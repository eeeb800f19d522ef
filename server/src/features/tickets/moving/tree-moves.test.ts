import { limits } from '@tessera/contract/limits'
import { expect, test } from 'vitest'
import { problemOfMoves } from './tree-moves.ts'

const check = (moved: number[], parents: [number, number | null][], heights: [number, number][] = []) =>
  problemOfMoves(moved, new Map(parents), new Map(heights))

test('moves that would close a cycle are refused, also when each alone would be fine', () => {
  expect(
    check(
      [1],
      [
        [1, 2],
        [2, null],
      ],
    ),
  ).toBeUndefined()
  expect(check([1], [[1, 1]])).toContain('below itself')
  expect(
    check(
      [1],
      [
        [1, 3],
        [3, 2],
        [2, 1],
      ],
    ),
  ).toContain('below itself')
  expect(
    check(
      [1, 2],
      [
        [1, 2],
        [2, 1],
      ],
    ),
  ).toContain('below itself')
  // Below a circle that is not theirs there is none to close.
  expect(
    check(
      [1, 2],
      [
        [1, null],
        [2, 1],
      ],
    ),
  ).toBeUndefined()
})

test('a tree has at most 20 levels above its lowest ticket, counted after all moves', () => {
  const line = (length: number): [number, number | null][] => Array.from({ length }, (_, i) => [100 + i, i === 0 ? null : 99 + i])
  const end = 99 + limits.depth
  expect(check([1], [...line(limits.depth), [1, end]])).toBeUndefined()
  expect(check([1], [...line(limits.depth), [1, end]], [[1, 1]])).toContain('at most 20')
  expect(check([1, 2], [...line(limits.depth), [1, end], [2, 1]])).toContain('at most 20')
})
