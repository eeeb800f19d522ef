import { useActions } from '../../../../lib/input/actions.ts'
import { useRowKeys } from '../../list/rows/use-row-keys.ts'
import { clearSelection, selectRange, toggleSelected, useSelection } from '../../selection/selection.ts'
import { cardToward, type Layout, type Stop } from '../board-layout.ts'
import type { useBoardFocus } from './use-board-focus.ts'

interface BoardKeysOptions {
  idProject: number
  layout: Layout
  focus: ReturnType<typeof useBoardFocus>
  /** The tickets of a column, from top to bottom. */
  idsOf: (column: string) => number[]
  open: (at: Stop) => void
}

/** The shortcuts of the board, which are about its current card. Returns what an arrow key, Home or End does. */
export function useBoardKeys({ idProject, layout, focus, idsOf, open }: BoardKeysOptions) {
  const { current, isChosen } = focus
  const { isOn } = useSelection(idProject)
  const goToward = (key: string) => {
    const to = current && cardToward(layout, current, key)
    if (to) focus.go(to)
  }
  const step = (key: 'ArrowDown' | 'ArrowUp') => goToward(isChosen ? key : 'Home')
  useRowKeys({ idProject, idTicket: isChosen ? current?.id : undefined, open: () => current && open(current) })
  useActions([
    { keys: 'j', label: 'Next ticket', run: () => step('ArrowDown') },
    { keys: 'k', label: 'Previous ticket', run: () => step('ArrowUp') },
    { keys: '↓ ↑ → ←', label: 'Move among the tickets of the board' },
    { keys: 'Space', label: 'Lift the ticket, and drop it again' },
    { keys: 'Enter', label: 'Open the ticket' },
    ...(isOn ? [{ keys: 'Escape', label: 'Select nothing', run: () => clearSelection(idProject) }] : []),
    { keys: 'x', label: 'Select the ticket', run: () => current && toggleSelected(idProject, current.id) },
    {
      keys: 'X',
      label: 'Select all tickets up to this one',
      run: () => current && selectRange(idProject, idsOf(current.column), current.id),
    },
  ])
  return goToward
}
