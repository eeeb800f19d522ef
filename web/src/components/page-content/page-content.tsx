import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { rem } from '../../lib/display/larger-font.ts'
import styles from './page-content.module.css'

interface PageContentProps {
  /** Maximum width; 1440 px by default. */
  maxWidth?: number
  className?: string | undefined
  children: ReactNode
}

/** The main part of a page: width and padding. */
export function PageContent({ maxWidth, className, children }: PageContentProps) {
  return (
    <main
      id="content"
      tabIndex={-1}
      className={classNames(styles.content, className)}
      style={maxWidth ? { maxWidth: rem(maxWidth) } : undefined}
    >
      {children}
    </main>
  )
}
