import styles from './blocked-mark.module.css'

/** On a ticket that another one blocks. */
export function BlockedMark() {
  return <span className={styles.mark}>Blocked</span>
}
