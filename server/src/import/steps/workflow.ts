import type { Phase } from '@tessera/contract/scalars'

interface State {
  id: number
  name: string
  phase: Phase
}

/**
 * A default workflow for imported states: work moves freely until it is finished; what is finished moves between
 * finished states, or is taken up again where a state is meant for that ('Reopened'), otherwise at the first proposed or active one.
 */
export function defaultWorkflow(states: readonly State[]): { from: number; to: number }[] {
  const again = states.filter(({ name }) => /re-?open/i.test(name))
  const unfinished = states.toSorted((one, other) => one.phase - other.phase).filter(({ phase }) => phase !== 3)
  const resumed = again.length > 0 ? again : unfinished.slice(0, 1)
  return states.flatMap(from =>
    states
      .filter(to => to.id !== from.id)
      .filter(to => {
        if (from.phase === 3) return to.phase === 3 || resumed.includes(to)
        // 'Reopened' follows finished states only, if there are any.
        return !again.includes(to) || states.every(({ phase }) => phase !== 3)
      })
      .map(to => ({ from: from.id, to: to.id })),
  )
}
