import { expect, test } from 'vitest'
import { layOut, sizes } from '../board-layout.ts'
import type { Board, Card } from '../data/board-data.ts'
import { cellKey, withFeet } from './shown-cells.ts'

const cardsOf = (Lane: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: 100 * Lane + index, Lane }) as Card)
const column = (key: string, cards: Card[]) => ({ key, Value: key, Label: key, Total: cards.length, cards, cursor: null })
const board: Board = {
  lanes: { by: 'Label', ids: [1, 2] },
  columns: [column('a', [...cardsOf(1, 30), ...cardsOf(2, 12)]), column('b', cardsOf(1, 3))],
}
const shownOf = (...more: [whole?: ReadonlySet<string>, dropped?: { column: string; lane: string; id: number }]) => {
  const { shown, feet } = withFeet(board, more[0] ?? new Set(), more[1])
  return [shown.columns.map(({ cards }) => cards.length), [...feet].map(([key, { rest, last }]) => [key, rest.length, last.id])]
}

test('a large lane shows its first cards until the others are asked for, so that the next lane is in sight', () => {
  // The last two of a cell are shown rather than named.
  expect(shownOf()).toEqual([[22, 3], [['Label 1 a', 20, 109]]])
  expect(shownOf(new Set([cellKey(board, { column: 'a', lane: '1' })]))).toEqual([[42, 3], [['Label 1 a', 0, 109]]])
  // What was just dropped is in sight.
  expect(shownOf(undefined, { column: 'a', lane: '1', id: 114 })).toEqual([[27, 3], [['Label 1 a', 15, 109]]])
  const { shown, feet } = withFeet(board, new Set())
  const heightOf = (...more: [typeof feet?]) => layOut(shown, 300, { columns: new Set(), lanes: new Set() }, undefined, ...more).height
  expect(heightOf(feet) - heightOf()).toBe(sizes.foot)
  // Without lanes everything is shown.
  expect(withFeet({ ...board, lanes: undefined }, new Set()).feet.size).toBe(0)
})

test('a card that was just moved there does not change which lane is the last one of its column', () => {
  const moved = cardsOf(2, 1).map(card => ({ ...card, id: 999 }))
  const [first, ...others] = board.columns
  const { shown } = withFeet(
    { ...board, columns: [{ ...column('a', [...moved, ...(first?.cards ?? [])]), cursor: 'next' }, ...others] },
    new Set(),
  )
  expect(shown.columns[0]?.cards.at(-1)?.Lane).toBe(2)
})
