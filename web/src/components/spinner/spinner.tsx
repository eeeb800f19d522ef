import styles from './spinner.module.css'

/** Something is going on, nobody knows how long. `size` is its diameter in px. */
export function Spinner({ label, size = 30 }: { label: string; size?: number }) {
  return <span role="progressbar" aria-label={label} className={styles.spinner} style={{ width: size, height: size }} />
}
