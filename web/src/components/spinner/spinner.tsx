import { rem } from '../../lib/display/larger-font.ts'
import styles from './spinner.module.css'

/** Indeterminate progress. Without a label, the surrounding text must say what is happening. `size` is its diameter in px. */
export function Spinner({ label, size = 30 }: { label?: string; size?: number }) {
  const name = label ? { role: 'progressbar', 'aria-label': label } : { 'aria-hidden': true }
  const diameter = rem(size)
  return <span {...name} className={styles.spinner} style={{ width: diameter, height: diameter }} />
}
