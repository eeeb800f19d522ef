import { useEffect, useEffectEvent } from 'react'
import { endingIn, type Layout, type Sight } from '../board-layout.ts'
import type { Board, Column } from '../data/board-data.ts'

/** With lanes, so many cards of a column are loaded without being asked for. */
const loadedAlone = 2000

/**
 * Loads the next page of each column whose last card comes into sight. Returns the columns that wait until the person asks for more: those of a lane that is
 * larger than what they have loaded.
 */
export function useNextPages(loaded: Board, layout: Layout, sight: Sight, onMore: (columns: readonly Column[]) => void): Column[] {
  const isLarge = ({ key }: Column) => (loaded.columns.find(column => column.key === key)?.cards.length ?? 0) >= loadedAlone
  const waiting = loaded.lanes ? layout.heldBackBy.filter(isLarge) : []
  const ending = endingIn(layout, sight).filter(column => !waiting.includes(column))
  const endings = ending.map(({ key, cursor }) => `${key} ${cursor}`).join()
  const load = useEffectEvent(() => onMore(ending))
  useEffect(() => {
    if (endings) load()
  }, [endings])
  return waiting
}
