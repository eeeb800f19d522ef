import { expect, test } from 'vitest'
import { blockedAmong, type Planned } from './plan.ts'

const going = (...ids: number[]) => ids.map(id => ({ stored: { id } }) as Planned)
const block = (blocker: number, ticket: number, closes = true) => ({ blocker, ticket, closes })

test('a ticket is blocked by one that stays open, also by one that is itself blocked', () => {
  const blocks = [block(2, 1), block(3, 2), block(9, 3, false), block(5, 4)]
  expect([...blockedAmong(going(1, 2, 3, 4, 5), blocks)]).toEqual([
    [1, [2]],
    [2, [3]],
    [3, [9]],
  ])
  // A blocker that is not among the planned ones stays open.
  expect([...blockedAmong(going(1, 4), blocks)]).toEqual([
    [1, [2]],
    [4, [5]],
  ])
})

test('a chain of 100,000 blockers is followed within the time limit', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => index + 1)
  const blocks = ids.map(id => block(id + 1, id, id < 100_000))
  expect(blockedAmong(going(...ids), blocks).size).toBe(100_000)
})
