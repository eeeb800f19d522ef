import type { placeAt } from '../board-layout.ts'
import { type Board, type Card, type Cell, laneOf, type Move } from '../data/board-data.ts'
import { cellName } from '../lanes.ts'
import { staysInLane } from './refusals.ts'

// The state of a ticket that is carried over the board. Indexes do not count the ticket itself.

export interface Place extends Cell {
  index: number
}
export interface Hand {
  by: 'keys' | 'pointer'
  card: Card
  from: Place
  /** Undefined where it cannot be dropped. */
  to: Place | undefined
  /** Why it cannot be dropped where the pointer is. */
  reason?: string | undefined
  /** Why columns do not take it, by column; undefined until that is known. */
  refusals: ReadonlyMap<string, string> | undefined
  /** Why it cannot leave its lane, as far as that is known. */
  laneRefusal: string | undefined
}

export function isSameCell(one: Cell, other: Cell) {
  return one.column === other.column && one.lane === other.lane
}

/** The cards of a cell without the one that is carried. Another card of the same ticket is one of them. */
export function restOf({ columns }: Board, cell: Cell, { card, from }: Pick<Hand, 'card' | 'from'>) {
  const cards = columns.find(({ key }) => key === cell.column)?.cards.filter(one => laneOf(one) === cell.lane) ?? []
  return isSameCell(cell, from) ? cards.filter(({ id }) => id !== card.id) : cards
}

/** Where the card is or would be: "Doing, position 2 of 5". */
export function placeInWords(board: Board, hand: Hand) {
  const { to } = hand
  const column = board.columns.find(({ key }) => key === to?.column)
  if (!to || !column) return 'Not here'
  const unloaded = board.lanes ? 0 : column.Total - column.cards.length
  return `${cellName(board, to)}, position ${to.index + 1} of ${restOf(board, to, hand).length + 1 + unloaded}`
}

/** The state right after lifting a card from this column. */
export function lifted(board: Board, by: Hand['by'], card: Card, column: string): Hand {
  const lane = laneOf(card)
  const cell = board.columns.find(({ key }) => key === column)?.cards.filter(one => laneOf(one) === lane) ?? []
  const from = { column, lane, index: cell.findIndex(({ id }) => id === card.id) }
  const laneRefusal = board.lanes?.by === 'Parent' ? staysInLane : undefined
  return { by, card, from, to: from, refusals: undefined, laneRefusal }
}

/** Why the card cannot be dropped in this cell, as far as that is known. A move to another lane does not ask the column that it stays in. */
export function refusalAt(
  { from, refusals, laneRefusal }: Pick<Hand, 'refusals' | 'laneRefusal'> & { from: Cell },
  { column, lane }: Cell,
) {
  if (lane === from.lane) return refusals?.get(column)
  return (column === from.column ? undefined : refusals?.get(column)) ?? laneRefusal
}

/** The index of the slot among the cards of its cell, including the lifted one; undefined at the card's own position. */
export function slotOf({ from, to }: Hand): Place | undefined {
  if (!to || !isSameCell(to, from)) return to
  if (to.index === from.index) return undefined
  return { ...to, index: to.index > from.index ? to.index + 1 : to.index }
}
/** The place for a slot at this index. */
function placeOfSlot({ from }: Hand, cell: Cell, index: number): Place {
  return { ...cell, index: isSameCell(cell, from) && index > from.index ? index - 1 : index }
}

/** Where the card would go if it were dropped at this place of the board, or why it cannot be. */
export function aimed(hand: Hand, at: ReturnType<typeof placeAt>): Pick<Hand, 'to' | 'reason'> {
  if (!at) return { to: undefined }
  const place = placeOfSlot(hand, { column: at.column.key, lane: at.band.key }, at.index)
  if (isSameCell(place, hand.from) && place.index === hand.from.index) return { to: place }
  const reason = refusalAt(hand, place)
  return { to: reason ? undefined : place, reason }
}

/** Where an arrow key moves the card; columns that refuse it are skipped and returned. `lanes` are those that it may be carried to, in their order. */
export function stepped(board: Board, hand: Hand, key: string, lanes: readonly string[]): { to: Place; passed: string[] } | undefined {
  if (key === 'ArrowUp' || key === 'ArrowDown') return steppedAlong(board, hand, key === 'ArrowUp' ? -1 : 1, lanes)
  const at = hand.to ?? hand.from
  const by = key === 'ArrowLeft' ? -1 : 1
  const passed: string[] = []
  for (let index = board.columns.findIndex(one => one.key === at.column) + by; board.columns[index]; index += by) {
    const { key: column = '', Label = '' } = board.columns[index] ?? {}
    const cell = { column, lane: at.lane }
    if (isSameCell(cell, hand.from)) return { to: hand.from, passed }
    const reason = refusalAt(hand, cell)
    if (!reason) return { to: { ...cell, index: Math.min(at.index, restOf(board, cell, hand).length) }, passed }
    passed.push(`${Label}: ${reason}`)
  }
  return passed.length > 0 ? { to: at, passed } : undefined
}

/** Up or down in its cell and, beyond the last card, to the next lane. */
function steppedAlong(board: Board, hand: Hand, by: 1 | -1, lanes: readonly string[]): ReturnType<typeof stepped> {
  const at = hand.to ?? hand.from
  const index = at.index + by
  const isInCell = index >= 0 && index <= restOf(board, at, hand).length
  if (isInCell && !refusalAt(hand, at)) return { to: { ...at, index }, passed: [] }
  const lane = lanes[lanes.indexOf(at.lane) + by]
  if (lane === undefined) return undefined
  const cell = { column: at.column, lane }
  if (isSameCell(cell, hand.from)) return { to: hand.from, passed: [] }
  const reason = refusalAt(hand, cell)
  if (reason) return { to: at, passed: [reason] }
  return { to: { ...cell, index: by === 1 ? 0 : restOf(board, cell, hand).length }, passed: [] }
}

/** The move that dropping makes; undefined if there is none. */
export function moveOf(board: Board, hand: Hand): Move | undefined {
  const { card, from, to } = hand
  if (!slotOf(hand) || !to) return undefined
  const before = restOf(board, to, hand).slice(0, to.index)
  const cell = ({ column, lane }: Place) => ({ column, lane })
  return { id: card.id, from: cell(from), to: cell(to), after: before.findLast(({ id }) => id !== card.id)?.id ?? null }
}
