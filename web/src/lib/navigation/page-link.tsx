import type { ComponentProps, MouseEvent } from 'react'
import { hasModifier } from '../input/keys/has-modifier.ts'
import { navigate } from './navigation.ts'

export interface PageLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** Passed on to the page. */
  state?: unknown
  /** Changes only the search part of the page's address: Back leads to the page before. */
  inPlace?: boolean
}

/** React ignores `autoFocus` on links. */
const takeFocus = (link: HTMLAnchorElement | null) => link?.focus()

/** A link to another page of the application. With a key held down or another button it is the browser's. */
export function PageLink({ to, state, inPlace = false, onClick, target, autoFocus = false, ...link }: PageLinkProps) {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !hasModifier(event)
    if (event.defaultPrevented || !isPlain || (target && target !== '_self')) return
    event.preventDefault()
    void navigate(to, { state, ...(inPlace && { replace: true, keepsScroll: true }) })
  }
  return <a href={to} target={target} onClick={go} ref={autoFocus ? takeFocus : undefined} {...link} />
}
