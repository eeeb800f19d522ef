import { readableOn } from '../../lib/display/label-color.ts'
import styles from './label-chip.module.css'

/** A label: its name on its color, in black or white, whichever is more readable. */
export function LabelChip({ name, color }: { name: string; color: string }) {
  return (
    <span className={styles.chip} style={{ background: color, color: readableOn(color) }}>
      {name}
    </span>
  )
}
