import styles from './spinner.module.css'

/** Something is going on, nobody knows how long. Without a label what is around it says so. `size` is its diameter in px. */
export function Spinner({ label, size = 30 }: { label?: string; size?: number }) {
  const name = label ? { role: 'progressbar', 'aria-label': label } : { 'aria-hidden': true }
  return <span {...name} className={styles.spinner} style={{ width: size, height: size }} />
}
