import type { ComponentProps } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { PageLink, type PageLinkProps } from '../../lib/navigation/page-link.tsx'
import { HeldButton } from '../button/held-button.tsx'
import styles from './icon-button.module.css'

interface Look {
  /** 24 px instead of 32, for rows and fields. */
  small?: boolean
}

/** A button that is an icon; `aria-label` or a Tooltip around it names it. */
export function IconButton({ small = false, className, ...button }: Look & ComponentProps<'button'>) {
  return <HeldButton className={classNames(styles.button, small && styles.small, className)} {...button} />
}

/** A link that looks like an icon button. */
export function IconButtonLink({ small = false, className, ...link }: Look & PageLinkProps) {
  return <PageLink className={classNames(styles.button, small && styles.small, className)} {...link} />
}
