import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { formatNumber } from '../../../../lib/display/format.ts'
import { sizes } from '../board-layout.ts'
import styles from './large-lanes.module.css'

interface CellFootProps {
  /** Where it is in its cell, in px. */
  top: number
  /** How many cards are left out. */
  rest: number
  column: string
  onClick: () => void
}

/** Below the cards of a large cell: the button that shows the others, or the first ones only. */
export function CellFoot({ top, rest, column, onClick }: CellFootProps) {
  return (
    <li className={styles.foot} style={{ translate: `0 ${top}px`, height: sizes.foot }}>
      <button type="button" aria-expanded={rest === 0} onClick={onClick}>
        {rest === 0 ? 'Show fewer' : `${formatNumber(rest)} more`}
        <VisuallyHidden> in {column}</VisuallyHidden>
      </button>
    </li>
  )
}
