/** A move between states that the workflow allows. */
export interface Transition {
  from: number
  to: number
}

/**
 * States that no ticket can get to, and states that no ticket can leave, each in the order of `states`. Tickets start in `entryStates`, or,
 * while no template names one, in the first state. A workflow without any transition allows every move and has no such states.
 */
export function findWorkflowProblems(
  states: readonly number[],
  entryStates: readonly number[],
  transitions: readonly Transition[],
): { unreachable: number[]; deadEnds: number[] } {
  if (transitions.length === 0) return { unreachable: [], deadEnds: [] }
  const next = new Map<number, number[]>()
  for (const { from, to } of transitions) next.set(from, [...(next.get(from) ?? []), to])
  const reached = new Set(entryStates.length > 0 ? entryStates : states.slice(0, 1))
  // A set hands out what is added while it is walked.
  for (const state of reached) for (const to of next.get(state) ?? []) reached.add(to)
  return { unreachable: states.filter(state => !reached.has(state)), deadEnds: states.filter(state => !next.has(state)) }
}
