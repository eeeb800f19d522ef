import { ChevronRightIcon } from '../../../components/icons/icons.tsx'
import { PageLink } from '../../../lib/navigation/page-link.tsx'
import styles from './board.module.css'
import { BoardCard } from './board-card.tsx'
import { columnsInSight, toggled } from './board-head.tsx'
import { type Band, cardKey, cardTop, inSight, type Layout, type PlacedColumn, type Sight, sizes } from './board-layout.ts'
import { type Hand, slotOf } from './carrying/carry.ts'
import { nameOf } from './carrying/use-moves.ts'
import type { Collapsed } from './data/kept-board.ts'

interface BoardBandsProps {
  idProject: number
  layout: Layout
  sight: Sight
  hand: Hand | undefined
  current: { column: string; id: number } | undefined
  keysId: string
  isPending: (idTicket: number) => boolean
  collapsed: Collapsed
  onCollapse: (change: Partial<Collapsed>) => void
}

/** The visible lanes, or the single band of a board without lanes, with the visible cards. */
export function BoardBands({ collapsed, onCollapse, ...props }: BoardBandsProps) {
  const { layout, sight, hand, current } = props
  // The focused and the carried card stay in the DOM.
  const holds = ({ cells }: Band, id: number | undefined) => cells.some(cards => cards.some(card => card.id === id))
  const columns = columnsInSight(layout, sight, [current?.column, hand?.from.column])
  const bands = layout.bands.filter(
    band =>
      (band.top < sight.top + sight.height + 300 && band.cellsTop + band.height > sight.top - 300) ||
      holds(band, current?.id) ||
      holds(band, hand?.card.id),
  )
  return bands.map(band => (
    <div key={band.key}>
      {band.key !== '' && (
        <LaneHead band={band} width={layout.width} onCollapse={() => onCollapse({ lanes: toggled(collapsed.lanes, band.key) })} />
      )}
      {!band.isCollapsed && columns.map(placed => <Cell key={placed.column.key} band={band} placed={placed} {...props} />)}
    </div>
  ))
}

function LaneHead({ band, width, onCollapse }: { band: Band; width: number; onCollapse: () => void }) {
  const parent = band.sample?.Path?.at(-1)
  const count = band.cells.reduce((sum, cards) => sum + cards.length, 0)
  const key = band.sample && parent ? nameOf({ pcode: band.sample.pcode, id: parent.id }) : ''
  const name = parent ? `${key} ${parent.Title}` : 'Without a parent'
  return (
    <div className={styles.lane} style={{ top: band.top, width, height: sizes.laneHead }}>
      <div className={styles.laneWords}>
        <button
          type="button"
          className={styles.laneFold}
          aria-expanded={!band.isCollapsed}
          aria-label={`Lane ${name}`}
          onClick={onCollapse}
        >
          <ChevronRightIcon fontSize="small" />
        </button>
        {parent ? (
          <PageLink to={`/view-ticket/${parent.id}`} className={styles.laneName} title={name}>
            <span className={styles.key}>{key}</span> {parent.Title}
          </PageLink>
        ) : (
          <span className={styles.laneName}>{name}</span>
        )}
        <span className={styles.total}>{count}</span>
      </div>
    </div>
  )
}

type CellProps = Omit<BoardBandsProps, 'collapsed' | 'onCollapse'> & { band: Band; placed: PlacedColumn }

function Cell({ idProject, sight, hand, current, keysId, isPending, band, placed }: CellProps) {
  const { column, index, left, width, isCollapsed } = placed
  const cards = band.cells[index] ?? []
  const slot = hand && hand.lane === band.key ? slotOf(hand) : undefined
  const at = slot?.column === column.key ? slot.index : undefined
  const isRefused =
    hand !== undefined && (hand.lane !== band.key || (hand.from.column !== column.key && hand.refusals?.has(column.key) === true))
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
          <span className={styles.upright}>{band.key === '' ? `${label} ${column.Total}` : cards.length}</span>
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
        const isCurrent = current?.id === card.id && current.column === column.key
        const isLifted = hand?.card.id === card.id && hand.from.column === column.key
        if ((position < first || position >= end) && !isCurrent && !isLifted) return null
        return (
          <BoardCard
            key={card.id}
            idProject={idProject}
            card={card}
            cardKey={cardKey({ column: column.key, id: card.id })}
            top={cardTop(rowOf(position))}
            position={position + 1}
            count={band.key === '' ? column.Total : cards.length}
            isCurrent={isCurrent}
            isLifted={isLifted}
            isPending={isPending(card.id)}
            keysId={keysId}
          />
        )
      })}
      {hand && at !== undefined && (
        <li className={styles.slot} style={{ translate: `0 ${cardTop(at)}px`, height: sizes.card }} aria-hidden>
          {hand.by === 'keys' && `${nameOf(hand.card)} ${hand.card.Title}`}
        </li>
      )}
      {column.cursor !== null && band.key === '' && (
        <li className={styles.more} style={{ translate: `0 ${cardTop(rowOf(cards.length))}px` }}>
          Loading more…
        </li>
      )}
    </ul>
  )
}
