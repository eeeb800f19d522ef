import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { PageLink, type PageLinkProps } from '../../lib/navigation/page-link.tsx'
import styles from './button.module.css'

interface Look {
  /** The primary button, one per page or dialog. */
  variant?: 'contained' | 'outlined' | 'text'
  /** A destructive action. */
  danger?: boolean
}

export function Button({ variant = 'outlined', danger = false, type = 'button', className, ...button }: Look & ComponentProps<'button'>) {
  return (
    <button type={type} data-danger={danger || undefined} className={classNames(styles.button, styles[variant], className)} {...button} />
  )
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'outlined', danger = false, className, ...link }: Look & PageLinkProps) {
  return <PageLink data-danger={danger || undefined} className={classNames(styles.button, styles[variant], className)} {...link} />
}
