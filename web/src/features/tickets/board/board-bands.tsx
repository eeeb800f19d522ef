import { nameOf } from '../ticket.ts'
import styles from './board.module.css'
import { BoardCard } from './board-card.tsx'
import { columnsInSight, toggled } from './board-head.tsx'
import {
  type Band,
  cardKey,
  cardTop,
  inSight,
  isAt,
  type Layout,
  type PlacedColumn,
  type Sight,
  type Stop,
  sizes,
  stopOf,
} from './board-layout.ts'
import { type Hand, refusalAt, slotOf } from './carrying/carry.ts'
import type { Cell as CellPlace, LaneKind } from './data/board-data.ts'
import type { Collapsed } from './data/kept-board.ts'
import { LaneHead } from './lane-head.tsx'
import { foldKey, laneTitle } from './lanes.ts'
import { CellFoot } from './large-lanes/cell-foot.tsx'
import type { Foot } from './large-lanes/shown-cells.ts'

interface BoardBandsProps {
  idProject: number
  layout: Layout
  lanesBy: LaneKind | undefined
  sight: Sight
  hand: Hand | undefined
  current: Stop | undefined
  keysId: string
  isPending: (idTicket: number) => boolean
  /** Nothing can be moved. */
  isFixed: boolean
  collapsed: Collapsed
  onCollapse: (change: Partial<Collapsed>) => void
  /** Of a large cell. */
  footOf: (cell: CellPlace) => Foot | undefined
  /** Shows all cards of a large cell, or the first ones again. */
  onWhole: (cell: CellPlace, foot: Foot) => void
}

/** The visible lanes, or the single band of a board without lanes, with the visible cards. */
export function BoardBands({ lanesBy, collapsed, onCollapse, ...props }: BoardBandsProps) {
  const { layout, sight, hand, current } = props
  const columns = columnsInSight(layout, sight, [current?.column, hand?.from.column])
  const bands = layout.bands.filter(
    band =>
      (band.top < sight.top + sight.height + 300 && band.cellsTop + band.height > sight.top - 300) ||
      // The focused and the carried card stay in the DOM.
      band.key === current?.lane ||
      band.key === hand?.from.lane,
  )
  return bands.map(band => {
    const shown = band.cells.flat()
    const title = lanesBy && band.key !== '' ? laneTitle(lanesBy, band.key, shown) : undefined
    const rest = layout.columns.flatMap(({ column }) => props.footOf({ column: column.key, lane: band.key })?.rest ?? [])
    return (
      <div key={band.key} className={styles.band} {...(title && { role: 'group', 'aria-label': title.name })}>
        {lanesBy && title && (
          <LaneHead
            title={title}
            total={shown.length + rest.length}
            band={band}
            width={layout.width}
            onCollapse={() => onCollapse({ lanes: toggled(collapsed.lanes, foldKey(lanesBy, band.key)) })}
          />
        )}
        {!band.isCollapsed && columns.map(placed => <Cell key={placed.column.key} band={band} placed={placed} {...props} />)}
      </div>
    )
  })
}

type CellProps = Omit<BoardBandsProps, 'lanesBy' | 'collapsed' | 'onCollapse'> & { band: Band; placed: PlacedColumn }

function Cell({ idProject, sight, hand, current, keysId, isPending, isFixed, footOf, onWhole, band, placed }: CellProps) {
  const { column, index, left, width, isCollapsed } = placed
  const cards = band.cells[index] ?? []
  const place = { column: column.key, lane: band.key }
  const foot = footOf(place)
  const rest = foot?.rest.length ?? 0
  const slot = hand && slotOf(hand)
  const at = slot?.lane === band.key && slot.column === column.key ? slot.index : undefined
  const isHome = hand?.from.lane === band.key && hand.from.column === column.key
  const isRefused = hand !== undefined && !isHome && refusalAt(hand, place) !== undefined
  const box = { left, width, top: band.cellsTop, height: band.height }
  const label = column.Label
  if (isCollapsed)
    return (
      <div
        className={styles.cell}
        style={box}
        data-collapsed
        data-refused={isRefused || undefined}
        data-target={at !== undefined || undefined}
        aria-hidden
      >
        {(band.key === '' || cards.length > 0) && (
          <span className={styles.upright}>{band.key === '' ? `${label} ${column.Total}` : cards.length + rest}</span>
        )}
      </div>
    )
  const { first, end } = inSight(band, cards.length, sight)
  const rowOf = (position: number) => (at !== undefined && position >= at ? position + 1 : position)
  return (
    <ul
      className={styles.cell}
      style={box}
      aria-label={label}
      data-column={column.key}
      data-refused={isRefused || undefined}
      data-empty={(band.key === '' && column.Total === 0 && at === undefined) || undefined}
    >
      {cards.map((card, position) => {
        const isCurrent = current?.column === column.key && isAt(current, card)
        const isLifted = isHome && hand?.card.id === card.id
        if ((position < first || position >= end) && !isCurrent && !isLifted) return null
        return (
          <BoardCard
            key={card.id}
            idProject={idProject}
            card={card}
            cardKey={cardKey(stopOf(column.key, card))}
            top={cardTop(rowOf(position))}
            position={position + 1}
            count={band.key === '' ? column.Total : cards.length + rest}
            isCurrent={isCurrent}
            isLifted={isLifted}
            isPending={isPending(card.id)}
            isFixed={isFixed}
            keysId={keysId}
          />
        )
      })}
      {hand && at !== undefined && (
        <li className={styles.slot} style={{ translate: `0 ${cardTop(at)}px`, height: sizes.card }} aria-hidden>
          {hand.by === 'keys' && `${nameOf(hand.card)} ${hand.card.Title}`}
        </li>
      )}
      {foot && <CellFoot top={cardTop(rowOf(cards.length))} rest={rest} column={label} onClick={() => onWhole(place, foot)} />}
      {column.cursor !== null && band.key === '' && (
        <li className={styles.more} style={{ translate: `0 ${cardTop(rowOf(cards.length))}px` }}>
          Loading more…
        </li>
      )}
    </ul>
  )
}
