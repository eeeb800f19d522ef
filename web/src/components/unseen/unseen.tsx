import type { ComponentProps } from 'react'
import styles from './unseen.module.css'

/** Visually hidden, read by screen readers. */
export function Unseen(props: ComponentProps<'span'>) {
  return <span className={styles.unseen} {...props} />
}
