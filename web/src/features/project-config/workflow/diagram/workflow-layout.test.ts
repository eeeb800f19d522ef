import { expect, test } from 'vitest'
import { curveBetween } from './workflow-curve.ts'
import { beginningIn, layOut, stateNodeSize } from './workflow-layout.ts'

const states = Array.from({ length: 8 }, (_, index) => ({ id: index + 1 }))
const chain = states.slice(1).map(({ id }) => ({ from: id - 1, to: id }))

function extentOf(places: Map<number, { x: number; y: number }>) {
  const all = [...places.values()]
  return {
    width: Math.max(...all.map(({ x }) => x)) + stateNodeSize.width - Math.min(...all.map(({ x }) => x)),
    height: Math.max(...all.map(({ y }) => y)) + stateNodeSize.height - Math.min(...all.map(({ y }) => y)),
  }
}

test.each([
  ['a wide dialog', { width: 2400, height: 500 }],
  ['a laptop', { width: 1080, height: 640 }],
  ['a phone', { width: 340, height: 700 }],
])('eight states in a row fit into %s at full size', (_where, room) => {
  const { width, height } = extentOf(layOut(states, chain, room))
  expect(width).toBeLessThanOrEqual(room.width)
  expect(height).toBeLessThanOrEqual(room.height)
})

test('a picture that is larger than its window begins at the edge, and shows where tickets start', () => {
  const room = { width: 900, height: 445 }
  const column = [0, 100, 200, 300, 400, 500].map(y => ({ x: 50, y }))
  const { x, y } = beginningIn(room, column, { x: 50, y: 100 })
  expect(x + 50).toBe((room.width - stateNodeSize.width) / 2)
  expect(y).toBeGreaterThan(0)
  expect(y).toBeLessThan(stateNodeSize.height)
  const last = { x: 50, y: 500 }
  expect(beginningIn(room, column, last).y + last.y).toBe((room.height - stateNodeSize.height) / 2)
})

test('an arrow goes around a state between its ends, and straight where nothing stands', () => {
  const [from, between, to] = [0, 300, 600].map(x => ({ x, y: 100 })) as [
    { x: number; y: number },
    { x: number; y: number },
    { x: number; y: number },
  ]
  const straight = curveBetween(from, to, [], false)
  expect(straight.control.y).toBe(100 + stateNodeSize.height / 2)
  const { start, control, end } = curveBetween(from, to, [between], false)
  const middle = 0.25 * start.y + 0.5 * control.y + 0.25 * end.y
  expect(middle < between.y || middle > between.y + stateNodeSize.height).toBe(true)
})

test('transitions in both directions are two arrows', () => {
  const [a, b] = [
    { x: 0, y: 0 },
    { x: 300, y: 0 },
  ]
  expect(curveBetween(a, b, [], true).control.y).not.toBe(curveBetween(b, a, [], true).control.y)
  // Between states of which one stands a little to the side, neither goes through a corner of its end.
  const below = { x: -57, y: stateNodeSize.height + 32 }
  for (const { start, control, end } of [curveBetween(a, below, [], true), curveBetween(below, a, [], true)]) {
    for (const { y } of [start, control, end]) expect(y > stateNodeSize.height && y < below.y).toBe(true)
  }
})
