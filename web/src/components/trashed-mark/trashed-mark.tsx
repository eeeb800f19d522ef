import styles from './trashed-mark.module.css'

/** On a ticket in the trash, in a list that asks for them. */
export function TrashedMark() {
  return <span className={styles.mark}>In the trash</span>
}
