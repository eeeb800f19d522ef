import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './page-content.module.css'

interface PageContentProps {
  /** The widest it gets; 1440 px unless told. */
  maxWidth?: number
  className?: string | undefined
  children: ReactNode
}

/** The main part of a page: its width and its edges. */
export function PageContent({ maxWidth, className, children }: PageContentProps) {
  return (
    <main id="content" tabIndex={-1} className={classNames(styles.content, className)} style={{ maxWidth }}>
      {children}
    </main>
  )
}
