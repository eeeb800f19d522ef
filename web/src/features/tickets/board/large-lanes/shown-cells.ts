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

/** The board with the first cards of each cell, with all of those in `whole`, and as far as the card `kept`; with the feet of large cells. */
export function withFeet(board: Board, whole: ReadonlySet<string>, kept?: Cell & { id: number }): { shown: Board; feet: Feet } {
  const feet = new Map<string, Foot>()
  if (!board.lanes) return { shown: board, feet }
  const columns = board.columns.map(column => {
    const out = new Set<Card>()
    for (const [lane, all] of Map.groupBy(column.cards, laneOf)) {
      const last = all[most - 1]
      if (all.length <= most + spare || !last) continue
      const key = cellKey(board, { column: column.key, lane })
      const isHere = kept?.column === column.key && kept.lane === lane
      const end = whole.has(key) ? all.length : Math.max(most, isHere ? all.findIndex(({ id }) => id === kept.id) + 1 : 0)
      const rest = all.slice(end)
      feet.set(key, { rest, last })
      for (const card of rest) out.add(card)
    }
    // In the same order: its last card says how far the lanes are loaded.
    return out.size === 0 ? column : { ...column, cards: column.cards.filter(card => !out.has(card)) }
  })
  return { shown: { ...board, columns }, feet }
}
