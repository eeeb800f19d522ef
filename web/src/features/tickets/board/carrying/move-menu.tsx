import type { RefObject } from 'react'
import { Menu } from '../../../../components/menu/menu.tsx'
import { nameOf } from '../../ticket.ts'
import type { Stop } from '../board-layout.ts'
import type { Board, Card } from '../data/board-data.ts'
import { lifted, moveOf, type Place, placeInWords, restOf } from './carry.ts'
import type { useMoves } from './use-moves.ts'

interface MoveMenuProps {
  board: Board
  card: Card
  /** The key of the card's column. */
  column: string
  /** The button that opened it. */
  anchor: RefObject<HTMLElement | null>
  moves: ReturnType<typeof useMoves>
  announce: (words: string) => void
  /** Called with the place where the card is then, and where it was. */
  onLanded: (at: Stop, from: Place) => void
  onClose: () => void
}

/** The moves of a card within its lane, for people who cannot drag (WCAG 2.5.7). The same rules hold as for a drop. */
export function MoveMenu({ board, card, column, anchor, moves, announce, onLanded, onClose }: MoveMenuProps) {
  const hand = lifted(board, 'pointer', card, column)
  const { from } = hand
  const last = restOf(board, from, hand).length
  const home = board.columns.find(({ key }) => key === column)
  const go = (to: Place) => {
    const move = moveOf(board, { ...hand, to })
    if (!move) return
    const onCanceled = () => {
      announce(`${nameOf(card)} is back where it was.`)
      onLanded({ ...move.from, id: card.id }, from)
    }
    moves.drop({ board, card, move, lifting: moves.lift(card), onCanceled })
    announce(`${nameOf(card)}: ${placeInWords(board, { ...hand, to })}.`)
    onLanded({ ...move.to, id: card.id }, from)
  }
  const within = (label: string, index: number, isOff: boolean) => ({
    key: label,
    label,
    isDisabled: isOff,
    onChoose: () => go({ ...from, index }),
  })
  return (
    <Menu
      open
      label={`Move ${nameOf(card)}`}
      anchor={anchor}
      onClose={onClose}
      choices={[
        within('Move to the top', 0, from.index === 0),
        within('Move up', from.index - 1, from.index === 0),
        within('Move down', from.index + 1, from.index >= last),
        // Of a column that is not loaded to its end nobody sees the end.
        ...(home?.cursor === null ? [within('Move to the end', last, from.index >= last)] : []),
        ...board.columns
          .filter(({ key }) => key !== column)
          .map(({ key, Label }, index) => ({
            key: `to ${key}`,
            label: `Move to ${Label}`,
            startsGroup: index === 0,
            onChoose: () => go({ column: key, lane: from.lane, index: 0 }),
          })),
      ]}
    />
  )
}
