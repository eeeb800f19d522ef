import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { useArrivalFocus } from '../../lib/navigation/arrival.ts'
import styles from './page-content.module.css'

/** The heading of a page, which gets the focus when the page is opened by a link or a key. */
export function PageHeading({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <h1 ref={useArrivalFocus<HTMLHeadingElement>()} tabIndex={-1} className={classNames(styles.pageHeading, className)}>
      {children}
    </h1>
  )
}
