import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { queryBoard } from '@tessera/contract/tickets/board'
import type { Response } from '@tessera/contract/call'
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
export interface Board {
  columns: Column[]
  /** The parents in the order of their lanes, null for tickets without one; undefined without lanes. */
  lanes: (number | null)[] | undefined
}

/** The board, read again as deep as its columns were loaded. */
export function boardQuery(input: BoardRequest) {
  return queryOptions<Board, CallError>({
    queryKey: [queryBoard.path, input, 'board'],
    queryFn: async ({ client, signal, queryKey }) => {
      const options = { signal, isBackground: isInBackground(queryKey) }
      const known = client.getQueryData<Board>(queryKey)
      const board = boardOf(await post(queryBoard, firstPage(input), options))
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

function boardOf({ Columns, Lanes }: Answer): Board {
  return { columns: Columns.map(columnOf), lanes: Lanes }
}
function columnOf({ Tickets, NextCursor, ...column }: AnsweredColumn): Column {
  return { ...column, key: String(column.Value), cards: Tickets, cursor: NextCursor }
}

/** Appends the next page of a column, without cards that are already there. */
function withPage(board: Board, key: string, { Columns, Lanes }: Answer): Board {
  const page = Columns.find(({ Value }) => String(Value) === key)
  if (!page) return board
  return {
    lanes: Lanes ?? board.lanes,
    columns: board.columns.map(column => {
      if (column.key !== key) return column
      const known = new Set(column.cards.map(({ id }) => id))
      const cards = [...column.cards, ...page.Tickets.filter(({ id }) => !known.has(id))]
      return { ...column, cards, cursor: page.NextCursor, Total: page.Total }
    }),
  }
}

/** Loads the next cards of a column; once at a time. */
const underWay = new Set<string>()
export async function loadMore(queries: QueryClient, input: BoardRequest, { key, Value, cursor }: Column) {
  const { queryKey } = boardQuery(input)
  const name = JSON.stringify([queryKey, key])
  if (cursor === null || underWay.has(name)) return
  underWay.add(name)
  try {
    const page = await post(queryBoard, { ...input, Value, Cursor: cursor, Limit: pageSize })
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
export function withPlaces(board: Board, ids: readonly number[], { Columns, Lanes }: Answer): Board {
  const asked = new Set(ids)
  return {
    lanes: Lanes ?? board.lanes,
    columns: Columns.map(answered => {
      const known = board.columns.find(({ key }) => key === String(answered.Value))
      const cards = known?.cards.filter(({ id }) => !asked.has(id)) ?? []
      // In the order of the column, because one may be placed behind another one.
      for (const { After, ...card } of answered.Tickets) {
        const before = After === null ? -1 : cards.findIndex(({ id }) => id === After)
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
  from: string
  to: string
  /** The card before its new position, null at the top. */
  after: number | null
}

/** The board after a move; unchanged if the card is already there. */
export function moved(board: Board, { id, from, to, after }: Move, isByState: boolean): Board {
  const card = board.columns.flatMap(({ cards }) => cards).find(one => one.id === id)
  const target = board.columns.find(({ key }) => key === to)
  if (!card || !target) return board
  const carried = isByState ? { ...card, State: target.Label, Phase: target.Phase ?? card.Phase } : card
  const columns = board.columns.map(column => {
    const isHere = column.cards.some(one => one.id === id)
    if (column.key !== to) {
      if (column.key !== from || !isHere) return column
      return { ...column, Total: column.Total - 1, cards: column.cards.filter(one => one.id !== id) }
    }
    const cards = column.cards.filter(one => one.id !== id)
    const before = after === null ? -1 : cards.findIndex(one => one.id === after)
    cards.splice(before + 1, 0, carried)
    return { ...column, cards, Total: column.Total + (isHere ? 0 : 1) }
  })
  return { ...board, columns }
}
