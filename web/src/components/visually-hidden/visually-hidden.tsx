import type { ComponentProps } from 'react'
import styles from './visually-hidden.module.css'

/** Visually hidden, read by screen readers. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span className={styles.hidden} {...props} />
}
