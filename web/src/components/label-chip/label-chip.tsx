import { readableOn } from '../../lib/display/label-color.ts'
import styles from './label-chip.module.css'

/** A label: its word on its colour, black or white as is easier to read. */
export function LabelChip({ name, color }: { name: string; color: string }) {
  return (
    <span className={styles.chip} style={{ background: color, color: readableOn(color) }}>
      {name}
    </span>
  )
}
