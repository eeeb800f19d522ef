import { useRef, useState } from 'react'

/** Moves of tickets that are shown at once and saved one after the other. */
export function useMoveQueue<Move extends { id: number }>() {
  const [pending, setPending] = useState<readonly Move[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return {
    /** Those that are not saved yet, and not refused. */
    pending,
    isPending: (id: number) => pending.some(move => move.id === id),
    /** Resolves when all moves until now are saved or refused. */
    settled: () => last.current,
    add: (move: Move, save: () => Promise<void>, fail: (problem: Error) => Promise<void>) => {
      setPending(moves => [...moves, move])
      last.current = last.current
        .then(save)
        .catch(fail)
        // Lets React render what was read or stored first.
        .then(() => void setTimeout(() => setPending(moves => moves.filter(one => one !== move))))
    },
  }
}
