import { classNames } from '../../lib/display/class-names.ts'
import styles from './ticket-mark.module.css'

/** On a ticket that another one blocks. */
export function BlockedMark() {
  return <span className={classNames(styles.mark, styles.blocked)}>Blocked</span>
}

/** On a ticket in the trash, in a list that asks for them. */
export function TrashedMark() {
  return <span className={styles.mark}>In the trash</span>
}
