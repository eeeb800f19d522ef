import type { Phase } from '@tessera/contract/scalars'

export interface Move {
  from: number
  to: number
}
interface State {
  id: number
  Description: string
  phase: Phase
}

export function hasMove(moves: readonly Move[], from: number, to: number) {
  return moves.some(move => move.from === from && move.to === to)
}
/** The workflow with or without one move; a state never moves to itself. */
export function withMove(moves: readonly Move[], from: number, to: number, on: boolean): Move[] {
  const others = moves.filter(move => move.from !== from || move.to !== to)
  return on && from !== to ? [...others, { from, to }] : others
}
/** The moves whose two states are among these. */
export function movesBetween(states: readonly { id: number }[], moves: readonly Move[]): Move[] {
  const ids = new Set(states.map(({ id }) => id))
  return moves.filter(({ from, to }) => ids.has(from) && ids.has(to))
}
export function isSameWorkflow(a: readonly Move[], b: readonly Move[]) {
  return a.length === b.length && a.every(({ from, to }) => hasMove(b, from, to))
}

/**
 * States that no ticket can reach from a template's initial state, and states that no ticket can leave.
 * Without any transition every move is allowed, so there are none.
 */
export function workflowFlaws<S extends State>(states: readonly S[], moves: readonly Move[], entries: readonly number[]) {
  if (moves.length === 0) return { unreachable: [], deadEnds: [] }
  const reached = new Set(entries.length > 0 ? entries : states.slice(0, 1).map(({ id }) => id))
  // Iteration over a Set includes members added on the way.
  for (const id of reached) for (const { from, to } of moves) if (from === id) reached.add(to)
  return {
    unreachable: states.filter(({ id }) => !reached.has(id)),
    deadEnds: states.filter(({ id }) => !moves.some(({ from }) => from === id)),
  }
}
