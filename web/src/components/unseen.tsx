import type { ComponentProps } from 'react'
import styles from './unseen.module.css'

/** Read by screen readers, seen by nobody. */
export function Unseen(props: ComponentProps<'span'>) {
  return <span className={styles.unseen} {...props} />
}
