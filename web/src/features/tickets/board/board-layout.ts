import { scaled } from '../../../lib/display/larger-font.ts'
import { type Board, type Card, type Cell, type Column, laneOf } from './data/board-data.ts'
import type { Collapsed } from './data/kept-board.ts'
import { foldKey } from './lanes.ts'
import { cellKey, type Feet } from './large-lanes/shown-cells.ts'

// Every card has the same size, so that positions can be computed without rendering.

/** In pixels, at the present font. */
export const sizes = {
  get card() {
    return scaled(104)
  },
  /** Between two cards, and around those of a cell. */
  get cardGap() {
    return scaled(8)
  },
  get head() {
    return scaled(52)
  },
  get laneHead() {
    return scaled(36)
  },
  /** The button below the cards of a large cell. */
  get foot() {
    return scaled(36)
  },
  /** Between two columns. */
  get gap() {
    return scaled(12)
  },
}
/** The width of a collapsed column, and the limits of that of others, in pixels of the design. */
const widths = { collapsed: 44, narrowest: 264, widest: 400 }

/** From the top of a card to that of the next one. */
export function cardPitch() {
  return sizes.card + sizes.cardGap
}

export interface PlacedColumn {
  column: Column
  index: number
  left: number
  width: number
  isCollapsed: boolean
}
/** The cards of one column in one lane. */
export interface Band {
  /** As `lane` of a cell. */
  key: string
  /** Of its head, if it has one. */
  top: number
  cellsTop: number
  height: number
  isCollapsed: boolean
  /** By column. */
  cells: Card[][]
}
export interface Layout {
  columns: PlacedColumn[]
  bands: Band[]
  width: number
  height: number
  /** The columns whose next page is needed when the end of the board comes into sight. */
  heldBackBy: Column[]
}

/** A card in one of its cells. */
export interface Stop extends Cell {
  id: number
}
export function stopOf(column: string, card: Card): Stop {
  return { column, lane: laneOf(card), id: card.id }
}
export function isAt({ lane, id }: Omit<Stop, 'column'>, card: Card) {
  return card.id === id && laneOf(card) === lane
}
/** Identifies a card in the DOM. */
export function cardKey({ column, lane, id }: Stop) {
  return `${id} ${lane} ${column}`
}
export function splitKey(key: string): Stop {
  const [id, lane = '', ...column] = key.split(' ')
  return { id: Number(id), lane, column: column.join(' ') }
}

/** How wide a column is, so that few of them fill the board. */
export function columnWidth({ columns }: Board, collapsed: Collapsed, width: number) {
  const folded = columns.filter(({ key }) => collapsed.columns.has(key)).length
  const room = width - folded * (scaled(widths.collapsed) + sizes.gap) + sizes.gap
  return Math.min(
    scaled(widths.widest),
    Math.max(scaled(widths.narrowest), Math.floor(room / Math.max(1, columns.length - folded)) - sizes.gap),
  )
}

/** The positions of everything. `slot` is the place kept free for the carried card; `feet` has the cells with a button below their cards. */
export function layOut(board: Board, wide: number, collapsed: Collapsed, slot: Cell | undefined, feet: Feet = new Map()): Layout {
  let left = 0
  const columns = board.columns.map((column, index) => {
    const isCollapsed = collapsed.columns.has(column.key)
    const placed = { column, index, left, width: isCollapsed ? scaled(widths.collapsed) : wide, isCollapsed }
    left += placed.width + sizes.gap
    return placed
  })
  const { lanes, heldBackBy } = lanesOf(board)
  let top = sizes.head
  const bands = lanes.map(({ key, cells }): Band => {
    const isCollapsed = key !== '' && collapsed.lanes.has(foldKey(board.lanes?.by, key))
    const highest = Math.max(
      cardPitch(),
      ...cells.map((cards, index) => {
        const column = columns[index]
        if (!column || column.isCollapsed) return 0
        const free = slot && slot.lane === key && slot.column === column.column.key ? 1 : 0
        const more = key === '' && column.column.cursor ? 1 : 0
        const foot = feet.has(cellKey(board, { column: column.column.key, lane: key })) ? sizes.foot : 0
        return (cards.length + free + more) * cardPitch() + foot
      }),
    )
    const cellsTop = top + (key === '' ? 0 : sizes.laneHead)
    const height = isCollapsed ? 0 : highest + 2 * sizes.cardGap
    const band = { key, top, cellsTop, height, isCollapsed, cells }
    top = cellsTop + height + (key === '' ? 0 : 4)
    return band
  })
  return { columns, bands, width: Math.max(0, left - sizes.gap), height: top, heldBackBy }
}

/** The first card that is not in a folded lane or column; not one of this ticket. */
export function firstStop({ columns, bands }: Layout, except?: number): Stop | undefined {
  for (const { isCollapsed, cells } of bands) {
    const open = isCollapsed ? [] : columns.filter(placed => !placed.isCollapsed)
    for (const { column, index } of open) {
      const card = cells[index]?.find(({ id }) => id !== except)
      if (card) return stopOf(column.key, card)
    }
  }
  return undefined
}

/** The card that gets the focus of one that leaves this place for a folded column: the next one, else the one before, else the first. */
export function nextTo(layout: Layout, { column, lane, index }: Cell & { index: number }, idTicket: number): Stop | undefined {
  const at = layout.columns.findIndex(placed => placed.column.key === column)
  const rest = (layout.bands.find(({ key }) => key === lane)?.cells[at] ?? []).filter(({ id }) => id !== idTicket)
  const card = rest[index] ?? rest.at(-1)
  return card ? stopOf(column, card) : firstStop(layout, idTicket)
}

/** The position of a card within its cell. */
export function cardTop(index: number) {
  return sizes.cardGap + index * cardPitch()
}

/** The lanes whose cards are loaded in every column, and the columns that hold further lanes back. */
function lanesOf({ columns, lanes }: Board) {
  if (!lanes) return { lanes: [{ key: '', cells: columns.map(({ cards }) => cards) }], heldBackBy: [] }
  const position = new Map(lanes.ids.map((id, index) => [String(id ?? 'none'), index]))
  const lastOf = ({ cards }: Column) => {
    const last = cards.at(-1)
    return last ? (position.get(laneOf(last)) ?? 0) : 0
  }
  const unfinished = columns.filter(({ cursor }) => cursor !== null)
  const end = Math.min(lanes.ids.length - 1, ...unfinished.map(lastOf))
  const cellsOf = new Map<string, Card[][]>()
  for (const [index, { cards }] of columns.entries()) {
    for (const card of cards) {
      const key = laneOf(card)
      const cells = cellsOf.get(key) ?? columns.map(() => [])
      cells[index]?.push(card)
      cellsOf.set(key, cells)
    }
  }
  const shown = [...cellsOf].filter(([key]) => (position.get(key) ?? 0) <= end)
  shown.sort(([a], [b]) => (position.get(a) ?? 0) - (position.get(b) ?? 0))
  return {
    lanes: shown.map(([key, cells]) => ({ key, cells })),
    heldBackBy: unfinished.filter(column => lastOf(column) === end),
  }
}

/** The cards of a column from top to bottom, without those of folded lanes. */
export function cardsOf({ columns, bands }: Layout, column: string) {
  const index = columns.findIndex(one => one.column.key === column)
  return bands.filter(({ isCollapsed }) => !isCollapsed).flatMap(({ cells }) => cells[index] ?? [])
}

/** The card in the next open column that has any: in the same lane and row where there is one. */
function cardBeside(layout: Layout, from: Stop, by: 1 | -1) {
  const band = layout.bands.find(({ key }) => key === from.lane)
  const at = layout.columns.findIndex(({ column }) => column.key === from.column)
  const row = band?.cells[at]?.findIndex(card => isAt(from, card)) ?? 0
  const onward = by === 1 ? layout.columns.slice(at + 1) : layout.columns.slice(0, Math.max(0, at)).reverse()
  for (const { column, index, isCollapsed } of onward) {
    const cards = band?.cells[index]?.length ? band.cells[index] : cardsOf(layout, column.key)
    const card = cards[Math.min(row, cards.length - 1)]
    if (card && !isCollapsed) return stopOf(column.key, card)
  }
}

/** The card that this key leads to: an arrow, Home or End. */
export function cardToward(layout: Layout, from: Stop, key: string) {
  if (key === 'ArrowLeft' || key === 'ArrowRight') return cardBeside(layout, from, key === 'ArrowRight' ? 1 : -1)
  const cards = cardsOf(layout, from.column)
  const at = cards.findIndex(card => isAt(from, card))
  const indexes: Readonly<Record<string, number>> = { Home: 0, End: cards.length - 1, ArrowUp: at - 1, ArrowDown: at + 1 }
  const next = cards[indexes[key] ?? at]
  return next && stopOf(from.column, next)
}

/** The visible part of the board, in the board's coordinates. */
export interface Sight {
  left: number
  top: number
  width: number
  height: number
}

/** Which of a cell's cards are visible, with two beyond each edge. */
export function inSight({ cellsTop }: Band, count: number, { top, height }: Sight) {
  const first = Math.floor((top - cellsTop - sizes.cardGap) / cardPitch()) - 2
  const end = Math.ceil((top + height - cellsTop) / cardPitch()) + 2
  return { first: Math.min(count, Math.max(0, first)), end: Math.min(count, Math.max(0, end)) }
}

/** The columns with more pages whose last card is near the visible part. */
export function endingIn({ columns, bands, heldBackBy, height }: Layout, sight: Sight): Column[] {
  const beyond = sight.top + sight.height + 8 * cardPitch()
  if (bands[0]?.key !== '') return beyond > height ? heldBackBy : []
  return columns
    .filter(({ column, isCollapsed, left, width }) => {
      const isBeside = left < sight.left + 2 * sight.width && left + width > sight.left - sight.width
      return column.cursor !== null && !isCollapsed && isBeside && sizes.head + cardTop(column.cards.length) < beyond
    })
    .map(({ column }) => column)
}

/** What is at this point of the board: a place between the cards of a cell. */
export function placeAt({ columns, bands }: Layout, x: number, y: number): { column: Column; band: Band; index: number } | undefined {
  const placed = columns.find(({ left, width }) => x >= left - sizes.gap / 2 && x < left + width + sizes.gap / 2)
  const band = bands.find(({ top, cellsTop, height }, index) => (y >= top || index === 0) && y < cellsTop + height) ?? bands.at(-1)
  if (!placed || !band) return undefined
  const count = band.cells[placed.index]?.length ?? 0
  const index = placed.isCollapsed ? 0 : Math.floor((y - band.cellsTop - sizes.cardGap) / cardPitch())
  return { column: placed.column, band, index: Math.min(count, Math.max(0, index)) }
}
