import { expect, test } from 'vitest'
import { isSameWorkflow, withMove, workflowFlaws } from './workflow.ts'

const states = [1, 2, 3, 4].map(id => ({ id, Description: `State ${id}`, phase: 1 as const }))
const moves = (...pairs: [number, number][]) => pairs.map(([from, to]) => ({ from, to }))
function flaws(entries: number[], ...pairs: [number, number][]) {
  const { unreachable, deadEnds } = workflowFlaws(states, moves(...pairs), entries)
  return { unreachable: unreachable.map(({ id }) => id), deadEnds: deadEnds.map(({ id }) => id) }
}

test('a workflow without transitions allows all; in a circle every state is reachable and has an exit', () => {
  expect(flaws([1])).toEqual({ unreachable: [], deadEnds: [] })
  expect(flaws([1], [1, 2], [2, 3], [3, 4], [4, 1])).toEqual({ unreachable: [], deadEnds: [] })
})

test('a state reached only from itself is unreachable; one without exits is a dead end', () => {
  expect(flaws([1], [1, 2], [3, 4], [4, 3])).toEqual({ unreachable: [3, 4], deadEnds: [2] })
})

test('every entry state counts as reached; without any the first state does', () => {
  expect(flaws([1, 3], [1, 2], [3, 4])).toEqual({ unreachable: [], deadEnds: [2, 4] })
  expect(flaws([], [2, 1])).toEqual({ unreachable: [2, 3, 4], deadEnds: [1, 3, 4] })
})

test('a move is there once, never from a state to itself, in whatever order', () => {
  const once = withMove(withMove([], 1, 2, true), 1, 2, true)
  expect(once).toEqual(moves([1, 2]))
  expect(withMove(once, 2, 2, true)).toEqual(once)
  expect(withMove(once, 1, 2, false)).toEqual([])
  expect(isSameWorkflow(moves([1, 2], [2, 3]), moves([2, 3], [1, 2]))).toBe(true)
  expect(isSameWorkflow(moves([1, 2]), moves([2, 1]))).toBe(false)
})
