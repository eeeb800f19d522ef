import { type Board, type Card, type Cell, laneOf } from '../data/board-data.ts'
import { foldKey } from '../lanes.ts'

/** In a lane each column shows this many cards until the person asks for the others: a large lane would keep the next ones out of sight. */
const most = 10
/** So many more are shown if they are the last ones. */
const spare = 2

/** What is below the cards of a cell that has many. */
export interface Foot {
  /** The cards that are left out. */
  rest: readonly Card[]
  /** The last one of those that are always there. */
  last: Card
}

/** By `cellKey`. */
export type Feet = ReadonlyMap<string, Foot>

/** Names a cell among those of all boards of a project. */
export function cellKey(board: Pick<Board, 'lanes'>, { column, lane }: Cell) {
  return `${foldKey(board.lanes?.by, lane)} ${column}`
}

/** The board with the first cards of each cell, with all of those in `whole`, and as far as the card that was just dropped; with the feet of large cells. */
export function withFeet(board: Board, whole: ReadonlySet<string>, dropped?: Cell & { id: number }): { shown: Board; feet: Feet } {
  const feet = new Map<string, Foot>()
  if (!board.lanes) return { shown: board, feet }
  const columns = board.columns.map(column => {
    const cards = [...Map.groupBy(column.cards, laneOf)].flatMap(([lane, all]) => {
      const last = all[most - 1]
      if (all.length <= most + spare || !last) return all
      const key = cellKey(board, { column: column.key, lane })
      const isHere = dropped?.column === column.key && dropped.lane === lane
      const end = whole.has(key) ? all.length : Math.max(most, isHere ? all.findIndex(({ id }) => id === dropped.id) + 1 : 0)
      feet.set(key, { rest: all.slice(end), last })
      return all.slice(0, end)
    })
    return cards.length === column.cards.length ? column : { ...column, cards }
  })
  return { shown: { ...board, columns }, feet }
}
