import type { ComponentProps } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { PageLink, type PageLinkProps } from '../../lib/navigation/page-link.tsx'
import styles from './button.module.css'
import { HeldButton } from './held-button.tsx'

interface Look {
  /** The primary button, one per page or dialog. */
  variant?: 'contained' | 'outlined' | 'text'
  /** A destructive action. */
  danger?: boolean
}

export function Button({ variant = 'outlined', danger = false, className, ...button }: Look & ComponentProps<'button'>) {
  return <HeldButton data-danger={danger || undefined} className={classNames(styles.button, styles[variant], className)} {...button} />
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'outlined', danger = false, className, ...link }: Look & PageLinkProps) {
  return <PageLink data-danger={danger || undefined} className={classNames(styles.button, styles[variant], className)} {...link} />
}
