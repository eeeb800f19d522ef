import { QueryClient } from '@tanstack/react-query'
import { queryBoard } from '@tessera/contract/tickets/board'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { cardKey, cardToward, columnWidth, endingIn, inSight, layOut, placeAt, splitKey } from '../board-layout.ts'
import { aimed, type Hand, lifted, moveOf, refusalAt, slotOf, stepped } from '../carrying/carry.ts'
import { type Board, boardQuery, type Card, type Column, loadMore, moved, withPlaces } from './board-data.ts'
import type { BoardRequest } from './board-request.ts'

afterEach(() => vi.unstubAllGlobals())

function card(id: number, Lane?: number | null) {
  return { id, State: 'Open', Phase: 1, Blocked: 0, ...(Lane !== undefined && { Lane }) } as Card
}
const cell = (column: string, lane = '') => ({ column, lane })
function board(columns: Record<string, (number | Card)[]>, lanes?: Board['lanes'], cursors: Record<string, string> = {}): Board {
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
  const move = { id: 2, from: cell('a'), to: cell('b'), after: 4 }
  const after = moved(before, move, true)
  expect(ids(after)).toEqual({ a: [[1, 3], 2], b: [[4, 2], 2] })
  expect(after.columns[1]?.cards[1]).toMatchObject({ State: 'B', Phase: 2 })
  expect(ids(moved(after, move, true))).toEqual(ids(after))
  expect(ids(moved(before, { id: 3, from: cell('a'), to: cell('a'), after: null }, true))).toEqual({ a: [[3, 1, 2], 3], b: [[4], 1] })
  // A person's ticket that another person has as well.
  expect(ids(moved(board({ a: [1], b: [1] }), { id: 1, from: cell('a'), to: cell('b'), after: null }, false))).toEqual({
    a: [[], 0],
    b: [[1], 1],
  })
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
    { ...cell('a'), index: 1 },
    { ...cell('a'), index: 1 },
    undefined,
    undefined,
  ])
  const step = (from: Hand, key: string) => stepped(on, from, key, [])
  const down = { ...hand, to: step(hand, 'ArrowDown')?.to }
  expect([down.to, slotOf(down), moveOf(on, down)]).toEqual([
    { ...cell('a'), index: 2 },
    { ...cell('a'), index: 3 },
    { id: 2, from: cell('a'), to: cell('a'), after: 3 },
  ])
  expect(step(down, 'ArrowDown')).toBe(undefined)
  const right = step(down, 'ArrowRight')
  expect(right).toEqual({ to: { ...cell('c'), index: 0 }, passed: ['B: because'] })
  const further = { ...hand, to: step({ ...hand, to: right?.to }, 'ArrowRight')?.to }
  expect([further.to, moveOf(on, further)]).toEqual([
    { ...cell('d'), index: 0 },
    { id: 2, from: cell('a'), to: cell('d'), after: null },
  ])
  expect(step({ ...hand, to: right?.to }, 'ArrowLeft')).toEqual({ to: hand.from, passed: ['B: because'] })
  // The lifted card stays drawn where it was, and is not counted.
  const layout = layOut(on, 300, nothingFolded, undefined)
  const over = (column: number, index: number) => aimed(hand, placeAt(layout, column * 312 + 1, 60 + index * 112))
  expect([0, 1, 2, 3].map(index => over(0, index).to?.index)).toEqual([0, 1, 1, 2])
  expect(over(1, 0)).toEqual({ to: undefined, reason: 'because' })
})

test('lanes come in the order of their parents, and only when every column has them whole', () => {
  const on = board({ a: [card(1, 9), card(2, 8), card(3, null)], b: [card(4, 9)] }, { by: 'Parent', ids: [9, 8, null] }, { b: 'more' })
  const layout = layOut(on, 300, nothingFolded, undefined)
  expect(layout.bands.map(({ key, cells }) => [key, cells.map(cards => cards.map(({ id }) => id))])).toEqual([['9', [[1], [4]]]])
  expect(layout.heldBackBy.map(({ key }) => key)).toEqual(['b'])
  const whole = layOut(
    board({ a: [card(1, 9), card(2, 8), card(3, null)], b: [card(4, 9)] }, { by: 'Parent', ids: [9, 8, null] }),
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
  expect([
    cardToward(whole, { ...cell('a', '9'), id: 1 }, 'ArrowRight')?.id,
    cardToward(whole, { ...cell('a', 'none'), id: 3 }, 'ArrowRight')?.id,
  ]).toEqual([4, 4])
  expect(['ArrowRight', 'ArrowLeft'].map(key => cardToward(whole, { ...cell('b', '9'), id: 4 }, key)?.id)).toEqual([undefined, 1])
  // A ticket stays in its lane.
  const hand = lifted(on, 'keys', card(2, 8), 'a')
  expect([hand.from.index, stepped(on, hand, 'ArrowRight', [])?.to]).toEqual([0, { ...cell('b', '8'), index: 0 }])
  expect(stepped(on, hand, 'ArrowDown', [])).toBe(undefined)
  const at = placeAt(whole, 1, (whole.bands[0]?.cellsTop ?? 0) + 1)
  expect(aimed(hand, at)).toEqual({ to: undefined, reason: 'It stays in its lane' })
})

test('a ticket in several lanes has a card in each: arrows and moves mean one of them, and the others go along', () => {
  // Ticket 1 has the labels 7 and 8.
  const on = board(
    { a: [card(1, 7), card(2, 7), card(1, 8), card(3, 8), card(4, null)], b: [card(5, 8)] },
    { by: 'Label', ids: [7, 8, null] },
  )
  const layout = layOut(on, 300, { ...nothingFolded, lanes: new Set(['none', 'Label 8']) }, undefined)
  expect(layout.bands.map(({ key, isCollapsed }) => [key, isCollapsed])).toEqual([
    ['7', false],
    ['8', true],
    ['none', false],
  ])
  const open = layOut(on, 300, nothingFolded, undefined)
  expect(cardToward(open, { ...cell('a', '7'), id: 1 }, 'ArrowDown')).toEqual({ ...cell('a', '7'), id: 2 })
  expect(cardToward(open, { ...cell('a', '8'), id: 1 }, 'ArrowDown')).toEqual({ ...cell('a', '8'), id: 3 })
  expect(splitKey(cardKey({ ...cell('a b', '8'), id: 1 }))).toEqual({ ...cell('a b', '8'), id: 1 })
  expect(splitKey(cardKey({ ...cell('', ''), id: 1 }))).toEqual({ ...cell('', ''), id: 1 })

  // By keys: down to the end of the lane, then into the next one, and back up.
  let hand = lifted(on, 'keys', card(2, 7), 'a')
  const step = (key: string) => {
    const next = stepped(on, hand, key, ['7', '8', 'none'])
    hand = { ...hand, to: next?.to ?? hand.to }
    return next?.to && [next.to.column, next.to.lane, next.to.index]
  }
  expect([step('ArrowDown'), step('ArrowDown'), step('ArrowRight'), step('ArrowDown'), step('ArrowDown')]).toEqual([
    ['a', '8', 0],
    ['a', '8', 1],
    ['b', '8', 1],
    ['b', 'none', 0],
    undefined,
  ])
  expect([step('ArrowUp'), step('ArrowLeft'), step('ArrowUp'), step('ArrowUp')]).toEqual([
    ['b', '8', 1],
    ['a', '8', 1],
    ['a', '8', 0],
    ['a', '7', 1],
  ])
  const refused = { ...hand, to: hand.from, laneRefusal: 'because' }
  expect(stepped(on, refused, 'ArrowDown', ['7', '8', 'none'])).toEqual({ to: hand.from, passed: ['because'] })
  // The column that it stays in is not asked; another one is.
  const refusals = new Map([
    ['a', 'own'],
    ['b', 'other'],
  ])
  const reasons = [cell('a', '7'), cell('a', '8'), cell('b', '8')].map(to => refusalAt({ ...hand, refusals }, to))
  expect(reasons).toEqual(['own', undefined, 'other'])

  const lanesOf = ({ columns }: Board) => columns.map(({ cards, Total }) => [cards.map(({ id, Lane }) => `${id} ${Lane}`).join(), Total])
  // Its other card counts in that lane, but a ticket is not placed behind itself.
  const moveTo = (index: number) => moveOf(on, { ...lifted(on, 'keys', card(1, 7), 'a'), to: { ...cell('a', '8'), index } })
  const move = moveTo(2)
  expect(move).toEqual({ id: 1, from: cell('a', '7'), to: cell('a', '8'), after: 3 })
  expect([0, 1].map(index => moveTo(index)?.after)).toEqual([null, null])
  const toColumn = { id: 1, from: cell('a', '7'), to: cell('b', '7'), after: null }
  const toBoth = { id: 1, from: cell('a', '8'), to: cell('b', 'none'), after: null }
  for (const [made, expected] of [
    [
      move,
      [
        ['2 7,3 8,1 8,4 null', 5],
        ['5 8', 1],
      ],
    ],
    [
      toColumn,
      [
        ['2 7,3 8,4 null', 4],
        ['1 7,1 8,5 8', 2],
      ],
    ],
    [
      toBoth,
      [
        ['2 7,3 8,4 null', 4],
        ['1 null,1 7,5 8', 2],
      ],
    ],
  ] as const) {
    if (!made) throw new Error('no move')
    const after = moved(on, made, false)
    expect(lanesOf(after)).toEqual(expected)
    expect(lanesOf(moved(after, made, false))).toEqual(expected)
  }

  // As others moved it: each card behind the one before it in its lane.
  const Tickets = [
    { ...card(1, 7), idProject: 1, After: 2, AfterLane: 7 },
    { ...card(1, null), idProject: 1, After: 4, AfterLane: null },
  ]
  const answer = { Columns: [{ Value: 'a', Label: 'A', Total: 5, Tickets, NextCursor: null }], Lanes: [7, 8, null] }
  expect(lanesOf(withPlaces(on, [1], answer))).toEqual([['2 7,1 7,3 8,4 null,1 null', 5]])
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

test('when the whole board is read while a page is loading, the page that is next then is loaded too', async () => {
  const server = fakeServer()
  server.on(queryBoard, () => new Promise<never>(() => {}))
  const [client, input] = [new QueryClient(), { idProject: 1, Group: 'a' } as BoardRequest]
  const load = (cursor: string) => {
    const now = board({ a: [1] }, undefined, { a: cursor })
    client.setQueryData(boardQuery(input).queryKey, now)
    void loadMore(client, input, now.columns[0] as Column)
  }
  for (const cursor of ['third page', 'second page', 'second page']) load(cursor)
  const asked = () => server.sentTo(queryBoard).map(sent => (sent.input as { Cursor?: string }).Cursor)
  await vi.waitFor(() => expect(asked()).toEqual(['third page', 'second page']))
})
