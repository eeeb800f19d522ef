import { type ComponentProps, useState } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { PageLink, type PageLinkProps } from '../../lib/navigation/page-link.tsx'
import styles from './button.module.css'

interface Look {
  /** The primary button, one per page or dialog. */
  variant?: 'contained' | 'outlined' | 'text'
  /** A destructive action. */
  danger?: boolean
}

/** A button that becomes disabled while it has the focus keeps it: otherwise the keyboard would lose its place on the page. */
export function Button(props: Look & ComponentProps<'button'>) {
  const { variant = 'outlined', danger = false, type = 'button', disabled = false, className, onFocus, onBlur, onClick, ...button } = props
  const [hasFocus, setFocus] = useState(false)
  const isHeld = disabled && hasFocus
  return (
    <button
      type={type}
      disabled={disabled && !isHeld}
      aria-disabled={isHeld || undefined}
      data-danger={danger || undefined}
      className={classNames(styles.button, styles[variant], className)}
      onFocus={event => {
        setFocus(true)
        onFocus?.(event)
      }}
      onBlur={event => {
        setFocus(false)
        onBlur?.(event)
      }}
      onClick={isHeld ? event => event.preventDefault() : onClick}
      {...button}
    />
  )
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'outlined', danger = false, className, ...link }: Look & PageLinkProps) {
  return <PageLink data-danger={danger || undefined} className={classNames(styles.button, styles[variant], className)} {...link} />
}
