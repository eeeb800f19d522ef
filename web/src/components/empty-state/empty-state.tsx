import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { focusHeading } from '../../lib/navigation/arrival.ts'
import { PageHeading } from '../page-content/page-heading.tsx'
import styles from './empty-state.module.css'

/** The action takes its focus with it; a card around it may have a better place. */
const leaveFocus = (box: HTMLElement | null) => () => {
  if (box?.contains(document.activeElement)) queueMicrotask(focusHeading)
}

interface EmptyStateProps {
  icon?: ReactNode
  title: string
  /** Why it is empty, or what to do about it. */
  children?: ReactNode
  /** The button for the next step. */
  action?: ReactNode
  /** Takes less room: for an empty part of a page, not an empty page. */
  dense?: boolean
  /** Nothing else is on the page: the title is the page's heading. */
  isPage?: boolean
}

export function EmptyState({ icon, title, children, action, dense = false, isPage = false }: EmptyStateProps) {
  return (
    <div ref={leaveFocus} className={classNames(styles.box, dense && styles.dense)}>
      {icon && (
        <div aria-hidden className={styles.icon}>
          {icon}
        </div>
      )}
      {isPage ? <PageHeading className={styles.title}>{title}</PageHeading> : <p className={styles.title}>{title}</p>}
      {children && <div className={styles.words}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
