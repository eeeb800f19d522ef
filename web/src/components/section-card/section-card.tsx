import { type ReactNode, useId } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { keepFocus } from '../../lib/input/keep-focus.ts'
import { PageLink } from '../../lib/navigation/page-link.tsx'
import { cardClass } from '../card/card.tsx'
import styles from './section-card.module.css'

interface SectionCardProps {
  title: string
  /** Where the title leads. */
  path?: string | undefined
  /** Beside the title: how many there are. */
  count?: number | undefined
  /** Right of the title. */
  actions?: ReactNode
  /** Under the content, behind a hairline. */
  footer?: ReactNode
  /** The content needs padding. */
  padded?: boolean
  /** Not a landmark: those are the main parts of the page. */
  isMinor?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A titled part of a page. */
export function SectionCard({
  title,
  path,
  count,
  actions,
  footer,
  padded = false,
  isMinor = false,
  className,
  children,
}: SectionCardProps) {
  const id = useId()
  return (
    <section
      ref={keepFocus}
      {...(isMinor && { role: 'group' })}
      aria-labelledby={id}
      className={classNames(cardClass, styles.card, className)}
    >
      <div className={styles.head}>
        <h2 id={id}>{path ? <PageLink to={path}>{title}</PageLink> : title}</h2>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        <div className={styles.actions}>{actions}</div>
      </div>
      <div className={classNames(styles.content, padded && styles.padded)}>{children}</div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </section>
  )
}
