import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Request, Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { queryBoard } from '@tessera/contract/tickets/board'
import { type CallError, post } from '../../../../lib/calls/api.ts'
import { isInBackground } from '../../../../lib/calls/background.ts'
import { type BoardRequest, firstPage, pageSize } from './board-request.ts'

type Answer = Response<typeof queryBoard>
type AnsweredColumn = Answer['Columns'][number]
export type Card = AnsweredColumn['Tickets'][number]

export interface Column extends Pick<AnsweredColumn, 'Value' | 'Label' | 'Phase' | 'Total' | 'Limit' | 'LimitHolds'> {
  /** The value as text. */
  key: string
  /** The loaded cards, in their order. */
  cards: Card[]
  /** Where the next page begins; null when all are loaded. */
  cursor: string | null
}
/** What lanes are by. */
export type LaneKind = NonNullable<Request<typeof queryBoard>['Lanes']>
interface Lanes {
  by: LaneKind
  /** Of their parents, people or labels, in their order; null for tickets without one. */
  ids: (number | null)[]
}
export interface Board {
  columns: Column[]
  lanes: Lanes | undefined
}

/** One column in one lane. With lanes by assignee or label a ticket may be in several, and on a board by assignee as well. */
export interface Cell {
  column: string
  /** 'none' for the lane of tickets without one; '' on a board without lanes. */
  lane: string
}
export function laneOf({ Lane }: Card) {
  return Lane === undefined ? '' : String(Lane ?? 'none')
}

/** The board, read again as deep as its columns were loaded. */
export function boardQuery(input: BoardRequest) {
  return queryOptions<Board, CallError>({
    queryKey: [queryBoard.path, input, 'board'],
    queryFn: async ({ client, signal, queryKey }) => {
      const options = { signal, isBackground: isInBackground(queryKey) }
      const known = client.getQueryData<Board>(queryKey)
      const board = boardOf(input, await post(queryBoard, firstPage(input), options))
      const depth = new Map(known?.columns.map(({ key, cards }) => [key, cards.length]))
      // Of many columns the first page has few cards each, so several are loaded deeper: all at once.
      const columns = board.columns.map(async first => {
        let column = first
        for (;;) {
          const missing = (depth.get(first.key) ?? 0) - column.cards.length
          if (!column.cursor || missing < 1) return column
          const Limit = Math.min(Math.max(missing, pageSize), limits.boardColumn)
          const page = await post(queryBoard, { ...input, Value: column.Value, Cursor: column.cursor, Limit }, options)
          // The column may have gone meanwhile.
          if (page.Columns.length === 0) return column
          column = withPage({ ...board, columns: [column] }, first.key, page).columns[0] ?? column
        }
      })
      return { ...board, columns: await Promise.all(columns) }
    },
  })
}

function boardOf({ Lanes: by }: BoardRequest, { Columns, Lanes: ids = [] }: Answer): Board {
  return { columns: Columns.map(columnOf), lanes: by && { by, ids } }
}
/** The lanes as a later answer has them. */
function lanesNow({ lanes }: Board, { Lanes }: Answer) {
  return lanes && Lanes ? { ...lanes, ids: Lanes } : lanes
}
function columnOf({ Tickets, NextCursor, ...column }: AnsweredColumn): Column {
  return { ...column, key: String(column.Value), cards: Tickets, cursor: NextCursor }
}

/** Appends the next page of a column, without cards that are already there. */
function withPage(board: Board, key: string, answer: Answer): Board {
  const page = answer.Columns.find(({ Value }) => String(Value) === key)
  if (!page) return board
  const place = (card: Card) => `${card.id} ${laneOf(card)}`
  return {
    lanes: lanesNow(board, answer),
    columns: board.columns.map(column => {
      if (column.key !== key) return column
      const known = new Set(column.cards.map(place))
      const cards = [...column.cards, ...page.Tickets.filter(card => !known.has(place(card)))]
      return { ...column, cards, cursor: page.NextCursor, Total: page.Total }
    }),
  }
}

/** Loads the next cards of a column; each page once at a time. When the whole board is read meanwhile, an earlier page may be the next one again. */
const underWay = new Set<string>()
export async function loadMore(queries: QueryClient, input: BoardRequest, { key, Value, cursor }: Column) {
  const { queryKey } = boardQuery(input)
  const name = JSON.stringify([queryKey, key, cursor])
  if (cursor === null || underWay.has(name)) return
  underWay.add(name)
  try {
    // With lanes each page takes the database as long as the whole board, so there are fewer of them.
    const page = await post(queryBoard, { ...input, Value, Cursor: cursor, Limit: input.Lanes ? limits.boardColumn : pageSize })
    queries.setQueryData(queryKey, board =>
      board?.columns.some(column => column.key === key && column.cursor === cursor) ? withPage(board, key, page) : board,
    )
  } finally {
    underWay.delete(name)
  }
}

/** Reads where these tickets are now, and moves them there. */
export async function readPlaces(queries: QueryClient, input: BoardRequest, ids: readonly number[]) {
  const { queryKey } = boardQuery(input)
  if (ids.length === 0 || !queries.getQueryData(queryKey)) return
  const answer = await post(queryBoard, { ...input, Tickets: [...ids] }, { isBackground: true })
  queries.setQueryData(queryKey, board => board && withPlaces(board, ids, answer))
}

/** The board with these tickets where the answer says: behind other loaded cards, or not at all. */
export function withPlaces(board: Board, ids: readonly number[], answer: Answer): Board {
  const asked = new Set(ids)
  return {
    lanes: lanesNow(board, answer),
    columns: answer.Columns.map(answered => {
      const known = board.columns.find(({ key }) => key === String(answered.Value))
      const cards = known?.cards.filter(({ id }) => !asked.has(id)) ?? []
      // In the order of the column, because one may be placed behind another one.
      for (const { After, AfterLane, ...card } of answered.Tickets) {
        const before = After === null ? -1 : cards.findIndex(({ id, Lane }) => id === After && Lane === AfterLane)
        if (After === null || before >= 0) cards.splice(before + 1, 0, card)
        else if (!known?.cursor) cards.push(card)
      }
      return { ...columnOf(answered), cards, cursor: known?.cursor ?? null }
    }),
  }
}

/** A move of a card. */
export interface Move {
  id: number
  from: Cell
  to: Cell
  /** The card of the same cell before its new position, null at the top. */
  after: number | null
}

/** The board after a move; unchanged if the card is already there. Other cards of the ticket in the same column or lane go along. */
export function moved(board: Board, { id, from, to, after }: Move, isByState: boolean): Board {
  const cellOf = (column: string, card: Card): Cell => ({
    column: column === from.column ? to.column : column,
    lane: laneOf(card) === from.lane ? to.lane : laneOf(card),
  })
  const isTarget = ({ column, lane }: Cell) => column === to.column && lane === to.lane
  const own = board.columns.flatMap(({ key, cards }) =>
    cards.filter(card => card.id === id).map(card => ({ card, cell: cellOf(key, card) })),
  )
  const target = board.columns.find(({ key }) => key === to.column)
  const card = own[0]?.card
  if (!card || !target) return board
  const carried = isByState ? { ...card, State: target.Label, Phase: target.Phase ?? card.Phase } : card
  const columns = board.columns.map(column => {
    const stays = (one: Card) => {
      const cell = cellOf(column.key, one)
      return cell.column === column.key && cell.lane === laneOf(one) && !isTarget(cell)
    }
    const cards = column.cards.filter(one => one.id !== id || stays(one))
    for (const { cell } of own) {
      const isHere = isTarget(cell) || cards.some(one => one.id === id && laneOf(one) === cell.lane)
      if (cell.column === column.key && !isHere) cards.unshift(inLane(carried, cell.lane))
    }
    if (column === target) {
      const before = after === null ? -1 : cards.findIndex(one => one.id === after && laneOf(one) === to.lane)
      cards.splice(before + 1, 0, inLane(carried, to.lane))
    }
    const has = (all: readonly Card[]) => Number(all.some(one => one.id === id))
    return { ...column, cards, Total: column.Total + has(cards) - has(column.cards) }
  })
  return { ...board, columns }
}

function inLane(card: Card, lane: string): Card {
  return lane === '' ? card : { ...card, Lane: lane === 'none' ? null : Number(lane) }
}
