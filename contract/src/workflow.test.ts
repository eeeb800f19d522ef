import { expect, test } from 'vitest'
import { findWorkflowProblems } from './workflow.ts'

const states = [1, 2, 3, 4]
const moves = (...pairs: [number, number][]) => pairs.map(([from, to]) => ({ from, to }))

test('a workflow without transitions allows every move', () => {
  expect(findWorkflowProblems(states, [1], [])).toEqual({ unreachable: [], deadEnds: [] })
})

test('a circle has neither unreachable states nor dead ends', () => {
  expect(findWorkflowProblems(states, [1], moves([1, 2], [2, 3], [3, 4], [4, 1]))).toEqual({ unreachable: [], deadEnds: [] })
})

test('what only leads into itself is unreachable, what leads nowhere is a dead end', () => {
  expect(findWorkflowProblems(states, [1], moves([1, 2], [3, 4], [4, 3]))).toEqual({ unreachable: [3, 4], deadEnds: [2] })
})

test('every entry state counts as reached; without any the first state does', () => {
  expect(findWorkflowProblems(states, [1, 3], moves([1, 2], [3, 4]))).toEqual({ unreachable: [], deadEnds: [2, 4] })
  expect(findWorkflowProblems(states, [], moves([2, 1]))).toEqual({ unreachable: [2, 3, 4], deadEnds: [1, 3, 4] })
  expect(findWorkflowProblems([], [], [])).toEqual({ unreachable: [], deadEnds: [] })
})
