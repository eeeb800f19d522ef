import { laneOf, type placeAt } from '../board-layout.ts'
import type { Board, Card, Move } from '../data/board-data.ts'

// The state of a ticket that is carried over the board. Indexes do not count the ticket itself.

export interface Place {
  column: string
  index: number
}
export interface Hand {
  by: 'keys' | 'pointer'
  card: Card
  /** '' without lanes. A ticket stays in its lane: another lane would be another parent. */
  lane: string
  from: Place
  /** Undefined where it cannot be dropped. */
  to: Place | undefined
  /** Why it cannot be dropped where the pointer is. */
  reason?: string | undefined
  /** Why columns do not take it, by column; undefined until that is known. */
  refusals: ReadonlyMap<string, string> | undefined
}

/** The cards of a cell without the one that is carried. */
export function restOf({ columns, lanes }: Board, column: string, { card, lane }: Pick<Hand, 'card' | 'lane'>) {
  const cards = columns.find(({ key }) => key === column)?.cards ?? []
  return cards.filter(one => one.id !== card.id && (lanes === undefined || laneOf(one) === lane))
}

/** The state right after lifting a card from this column. */
export function lifted(board: Board, by: Hand['by'], card: Card, column: string): Hand {
  const lane = board.lanes ? laneOf(card) : ''
  const cell = board.columns.find(({ key }) => key === column)?.cards.filter(one => lane === '' || laneOf(one) === lane) ?? []
  const from = { column, index: cell.findIndex(({ id }) => id === card.id) }
  return { by, card, lane, from, to: from, refusals: undefined }
}

/** The index of the slot among the cards of its cell, including the lifted one; undefined at the card's own position. */
export function slotOf({ from, to }: Hand) {
  if (!to || (to.column === from.column && to.index === from.index)) return undefined
  return { column: to.column, index: to.column === from.column && to.index > from.index ? to.index + 1 : to.index }
}

/** The place for a slot at this index. */
function placeOfSlot({ from }: Hand, column: string, index: number): Place {
  return { column, index: column === from.column && index > from.index ? index - 1 : index }
}

/** Where the card would go if it were dropped at this place of the board, or why it cannot be. */
export function aimed(hand: Hand, at: ReturnType<typeof placeAt>): Pick<Hand, 'to' | 'reason'> {
  if (!at) return { to: undefined }
  const isInLane = at.band.key === hand.lane
  const place = placeOfSlot(hand, at.column.key, at.index)
  if (isInLane && place.column === hand.from.column && place.index === hand.from.index) return { to: place }
  const reason = hand.refusals?.get(at.column.key) ?? (isInLane ? undefined : 'It stays in its lane')
  return { to: reason ? undefined : place, reason }
}

/** Where an arrow key moves the card; columns that refuse it are skipped and returned. */
export function stepped(board: Board, hand: Hand, key: string): { to: Place; passed: string[] } | undefined {
  const at = hand.to ?? hand.from
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    if (hand.refusals?.has(at.column)) return
    const index = at.index + (key === 'ArrowUp' ? -1 : 1)
    return index < 0 || index > restOf(board, at.column, hand).length ? undefined : { to: { column: at.column, index }, passed: [] }
  }
  const by = key === 'ArrowLeft' ? -1 : 1
  const passed: string[] = []
  for (let index = board.columns.findIndex(one => one.key === at.column) + by; board.columns[index]; index += by) {
    const { key: column = '', Label = '' } = board.columns[index] ?? {}
    const reason = column === hand.from.column ? undefined : hand.refusals?.get(column)
    if (reason) passed.push(`${Label}: ${reason}`)
    else if (column === hand.from.column) return { to: hand.from, passed }
    else return { to: { column, index: Math.min(at.index, restOf(board, column, hand).length) }, passed }
  }
  return passed.length > 0 ? { to: at, passed } : undefined
}

/** The move that dropping makes; undefined if there is none. */
export function moveOf(board: Board, hand: Hand): Move | undefined {
  const { card, from, to } = hand
  if (!slotOf(hand) || !to) return undefined
  const rest = restOf(board, to.column, hand)
  return { id: card.id, from: from.column, to: to.column, after: rest[Math.min(to.index, rest.length) - 1]?.id ?? null }
}
