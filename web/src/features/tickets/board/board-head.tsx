import { phaseName } from '@tessera/contract/messages'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { ChevronRightIcon } from '../../../components/icons/icons.tsx'
import { counted, formatNumber } from '../../../lib/display/format.ts'
import styles from './board.module.css'
import { type Layout, type PlacedColumn, type Sight, sizes } from './board-layout.ts'
import type { Hand } from './carrying/carry.ts'
import type { Collapsed } from './data/kept-board.ts'

interface BoardHeadProps {
  layout: Layout
  sight: Sight
  hand: Hand | undefined
  collapsed: Collapsed
  onCollapse: (change: Partial<Collapsed>) => void
}

/** The visible columns, with some beyond each edge, and those that stay in the DOM wherever they are. */
export function columnsInSight({ columns }: Layout, { left, width }: Sight, kept: readonly (string | undefined)[] = []) {
  return columns.filter(one => (one.left < left + width + 320 && one.left + one.width > left - 320) || kept.includes(one.column.key))
}

/** The set with the key toggled. */
export function toggled(set: ReadonlySet<string>, key: string) {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The sticky names of the columns. While a card is carried they say why they refuse it. */
export function BoardHead({ layout, sight, hand, collapsed, onCollapse }: BoardHeadProps) {
  return (
    <div className={styles.heads} style={{ height: sizes.head }}>
      {columnsInSight(layout, sight).map(placed => (
        <ColumnHead
          key={placed.column.key}
          placed={placed}
          isFirstOfPhase={placed.column.Phase !== layout.columns[placed.index - 1]?.column.Phase}
          reason={hand && hand.from.column !== placed.column.key ? hand.refusals?.get(placed.column.key) : undefined}
          isTarget={hand?.to?.column === placed.column.key}
          onCollapse={() => onCollapse({ columns: toggled(collapsed.columns, placed.column.key) })}
        />
      ))}
    </div>
  )
}

interface ColumnHeadProps {
  placed: PlacedColumn
  isFirstOfPhase: boolean
  reason: string | undefined
  isTarget: boolean
  onCollapse: () => void
}

function ColumnHead({ placed, isFirstOfPhase, reason, isTarget, onCollapse }: ColumnHeadProps) {
  const { column, left, width, isCollapsed } = placed
  const label = column.Label
  const total = formatNumber(column.Total)
  const limit = column.Limit === undefined ? undefined : formatNumber(column.Limit)
  const isOverLimit = column.Limit !== undefined && column.Total > column.Limit
  const isFull = column.LimitHolds === 1 && column.Limit === column.Total
  const within = isFull ? 'full, limit' : 'limit'
  const limitWords = isOverLimit ? 'above the limit of' : within
  const tickets = counted(column.Total, 'ticket')
  return (
    <div
      className={styles.head}
      style={{ left, width }}
      data-collapsed={isCollapsed || undefined}
      data-refused={reason !== undefined || undefined}
      data-target={isTarget || undefined}
    >
      {!isCollapsed && (
        <div className={styles.words}>
          <h2 className={styles.name} title={label}>
            {column.Phase && <span className="phase-mark" data-phase={column.Phase} aria-hidden />}
            <span className={styles.label}>{label}</span>
            <span className={styles.total} data-over={isOverLimit || isFull || undefined}>
              {limit === undefined ? total : `${total} / ${limit}`}
            </span>
          </h2>
          {(reason ?? (column.Phase && isFirstOfPhase)) && (
            <p className={styles.note} title={reason}>
              {reason ?? (column.Phase && phaseName[column.Phase])}
            </p>
          )}
        </div>
      )}
      <IconButton
        small
        aria-expanded={!isCollapsed}
        aria-label={[label, tickets, ...(limit === undefined ? [] : [`${limitWords} ${limit}`])].join(', ')}
        title={isCollapsed ? `Unfold ${label}` : `Fold ${label}`}
        className={styles.fold}
        onClick={onCollapse}
      >
        <ChevronRightIcon fontSize="small" />
      </IconButton>
    </div>
  )
}
