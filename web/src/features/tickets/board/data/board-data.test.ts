import { expect, test } from 'vitest'
import { type Board, type Card, moved, withPlaces } from './board-data.ts'
import { cardToward, columnWidth, endingIn, inSight, layOut, placeAt } from '../board-layout.ts'
import { aimed, type Hand, lifted, moveOf, slotOf, stepped } from '../carrying/carry.ts'

function card(id: number, idParent: number | null = null) {
  return { id, idParent, State: 'Open', Phase: 1, Blocked: 0 } as Card
}
function board(columns: Record<string, (number | Card)[]>, lanes?: (number | null)[], cursors: Record<string, string> = {}): Board {
  return {
    lanes,
    columns: Object.entries(columns).map(([key, cards]) => ({
      key,
      Value: key,
      Label: key.toUpperCase(),
      Phase: 2 as const,
      Total: cards.length,
      cards: cards.map(one => (typeof one === 'number' ? card(one) : one)),
      cursor: cursors[key] ?? null,
    })),
  }
}
function ids({ columns }: Board) {
  return Object.fromEntries(columns.map(({ key, cards, Total }) => [key, [cards.map(({ id }) => id), Total]]))
}
const nothingFolded = { columns: new Set<string>(), lanes: new Set<string>() }

test('a move shows at once, and the same move again changes nothing', () => {
  const before = board({ a: [1, 2, 3], b: [4] })
  const move = { id: 2, from: 'a', to: 'b', after: 4 }
  const after = moved(before, move, true)
  expect(ids(after)).toEqual({ a: [[1, 3], 2], b: [[4, 2], 2] })
  expect(after.columns[1]?.cards[1]).toMatchObject({ State: 'B', Phase: 2 })
  expect(ids(moved(after, move, true))).toEqual(ids(after))
  expect(ids(moved(before, { id: 3, from: 'a', to: 'a', after: null }, true))).toEqual({ a: [[3, 1, 2], 3], b: [[4], 1] })
  // A person's ticket that another person has as well.
  expect(ids(moved(board({ a: [1], b: [1] }), { id: 1, from: 'a', to: 'b', after: null }, false))).toEqual({ a: [[], 0], b: [[1], 1] })
})

test('tickets that others moved are shown where the server has them', () => {
  const before = board({ a: [1, 2, 3], b: [4, 5] }, undefined, { b: 'more' })
  const answer = (a: [number, number | null][], b: [number, number | null][]) => ({
    Columns: [
      { Value: 'a', Label: 'A', Total: 10, Tickets: a.map(([id, After]) => ({ ...card(id), idProject: 1, After })), NextCursor: null },
      { Value: 'b', Label: 'B', Total: 90, Tickets: b.map(([id, After]) => ({ ...card(id), idProject: 1, After })), NextCursor: null },
    ],
  })
  const places = (asked: number[], ...at: Parameters<typeof answer>) => ids(withPlaces(before, asked, answer(...at)))
  expect(places([1], [], [[1, 4]])).toEqual({ a: [[2, 3], 10], b: [[4, 1, 5], 90] })
  expect(
    places(
      [2, 9],
      [
        [9, null],
        [2, 9],
      ],
      [],
    ),
  ).toEqual({ a: [[9, 2, 1, 3], 10], b: [[4, 5], 90] })
  // Behind what is not loaded: it comes with its page. Where all is loaded, at the end.
  expect(places([1], [], [[1, 77]])).toEqual({ a: [[2, 3], 10], b: [[4, 5], 90] })
  expect(places([4], [[4, 77]], [])).toEqual({ a: [[1, 2, 3, 4], 10], b: [[5], 90] })
  // It has left the filter.
  expect(places([5], [], [])).toEqual({ a: [[1, 2, 3], 10], b: [[4], 90] })
  expect(withPlaces(before, [1], answer([], [])).columns[1]?.cursor).toBe('more')
})

test('arrows carry within a column and past columns that refuse; a drop at the old position moves nothing', () => {
  const on = board({ a: [1, 2, 3], b: [4], c: [], d: [5, 6] })
  const hand: Hand = { ...lifted(on, 'keys', card(2), 'a'), refusals: new Map([['b', 'because']]) }
  expect([hand.from, hand.to, slotOf(hand), moveOf(on, hand)]).toEqual([
    { column: 'a', index: 1 },
    { column: 'a', index: 1 },
    undefined,
    undefined,
  ])
  const step = (from: Hand, key: string) => stepped(on, from, key)
  const down = { ...hand, to: step(hand, 'ArrowDown')?.to }
  expect([down.to, slotOf(down), moveOf(on, down)]).toEqual([
    { column: 'a', index: 2 },
    { column: 'a', index: 3 },
    { id: 2, from: 'a', to: 'a', after: 3 },
  ])
  expect(step(down, 'ArrowDown')).toBe(undefined)
  const right = step(down, 'ArrowRight')
  expect(right).toEqual({ to: { column: 'c', index: 0 }, passed: ['B: because'] })
  const further = { ...hand, to: step({ ...hand, to: right?.to }, 'ArrowRight')?.to }
  expect([further.to, moveOf(on, further)]).toEqual([
    { column: 'd', index: 0 },
    { id: 2, from: 'a', to: 'd', after: null },
  ])
  expect(step({ ...hand, to: right?.to }, 'ArrowLeft')).toEqual({ to: hand.from, passed: ['B: because'] })
  // The lifted card stays drawn where it was, and is not counted.
  const layout = layOut(on, 300, nothingFolded, undefined)
  const over = (column: number, index: number) => aimed(hand, placeAt(layout, column * 312 + 1, 60 + index * 112))
  expect([0, 1, 2, 3].map(index => over(0, index).to?.index)).toEqual([0, 1, 1, 2])
  expect(over(1, 0)).toEqual({ to: undefined, reason: 'because' })
})

test('lanes come in the order of their parents, and only when every column has them whole', () => {
  const on = board({ a: [card(1, 9), card(2, 8), card(3)], b: [card(4, 9)] }, [9, 8, null], { b: 'more' })
  const layout = layOut(on, 300, nothingFolded, undefined)
  expect(layout.bands.map(({ key, cells }) => [key, cells.map(cards => cards.map(({ id }) => id))])).toEqual([['9', [[1], [4]]]])
  expect(layout.heldBackBy.map(({ key }) => key)).toEqual(['b'])
  const whole = layOut(
    board({ a: [card(1, 9), card(2, 8), card(3)], b: [card(4, 9)] }, [9, 8, null]),
    300,
    { ...nothingFolded, lanes: new Set(['8']) },
    undefined,
  )
  expect(whole.bands.map(({ key, isCollapsed }) => [key, isCollapsed])).toEqual([
    ['9', false],
    ['8', true],
    ['none', false],
  ])
  // Left and right stay in the lane, or else come to the column's cards.
  expect([1, 3].map(id => cardToward(whole, { column: 'a', id }, 'ArrowRight')?.id)).toEqual([4, 4])
  expect(['ArrowRight', 'ArrowLeft'].map(key => cardToward(whole, { column: 'b', id: 4 }, key)?.id)).toEqual([undefined, 1])
  // A ticket stays in its lane.
  const hand = lifted(on, 'keys', card(2, 8), 'a')
  expect([hand.lane, hand.from.index, stepped(on, hand, 'ArrowRight')?.to]).toEqual(['8', 0, { column: 'b', index: 0 }])
})

test('of 10,000 cards only those in sight are drawn, and a point of the board is a place between cards', () => {
  const many = Array.from({ length: 10_000 }, (_, id) => id)
  const on = board({ a: many, b: [] }, undefined, { a: 'more' })
  const layout = layOut(on, 300, nothingFolded, undefined)
  const [band] = layout.bands
  if (!band) throw new Error('no band')
  const sight = { left: 0, top: 5000 * 112, width: 1400, height: 700 }
  const { first, end } = inSight(band, many.length, sight)
  expect(first).toBeGreaterThan(4990)
  expect(end - first).toBeLessThan(14)
  expect(endingIn(layout, sight)).toEqual([])
  expect(endingIn(layout, { ...sight, top: layout.height - 700 }).map(({ key }) => key)).toEqual(['a'])
  const at = (x: number, y: number) => {
    const place = placeAt(layout, x, y)
    return place && [place.column.key, place.index]
  }
  expect([at(10, 0), at(10, 52 + 8 + 112 * 2 + 50), at(320, 400), at(2000, 400)]).toEqual([['a', 0], ['a', 2], ['b', 0], undefined])
  expect(columnWidth(on, nothingFolded, 1400)).toBe(400)
  expect(columnWidth(board(Object.fromEntries(many.slice(0, 200).map(id => [`c${id}`, []]))), nothingFolded, 1400)).toBe(264)
})
