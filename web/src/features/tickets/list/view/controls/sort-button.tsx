import { ArrowDownIcon, ArrowUpIcon, SortIcon } from '../../../../../components/icons/icons.tsx'
import type { SortSlot } from '../ticket-view.ts'
import styles from './sort-button.module.css'

interface SortButtonProps {
  column: string
  /** The displayed name. */
  label: string
  sort: readonly SortSlot[]
  onCycle: () => void
}

const shown = {
  asc: { Icon: ArrowUpIcon, words: 'ascending' },
  desc: { Icon: ArrowDownIcon, words: 'descending' },
  none: { Icon: SortIcon, words: 'not sorted' },
}

/** The header of a sortable column: none, ascending, descending. With several sorted columns, a small number shows the order. */
export function SortButton({ column, label, sort, onCycle }: SortButtonProps) {
  const position = sort.findIndex(({ Column }) => Column === column)
  const direction = sort[position]?.Direction
  const { Icon, words } = shown[direction ?? 'none']
  const isOneOfSeveral = position >= 0 && sort.length > 1
  const order = `${words}${isOneOfSeveral ? `, ${position + 1} of ${sort.length}` : ''}`
  return (
    <button
      type="button"
      aria-label={`Sort by ${label}`}
      // Otherwise a screen reader would say the column twice.
      aria-description={order}
      title={`Sort by ${label}: ${order}`}
      data-sorted={direction}
      className={styles.button}
      onClick={onCycle}
    >
      <span className={styles.label}>{label}</span>
      <Icon fontSize="small" />
      {/* Not as text, which would have to be part of the button's name. */}
      {isOneOfSeveral && <small data-place={position + 1} />}
    </button>
  )
}
