import { useEffect, useRef } from 'react'
import { currentPage } from './navigation.ts'

/** Nothing has the focus, as after a page whose link or button had it is gone, or only the new page's heading. */
export function isFocusNowhere() {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.tagName === 'H1'
}

/**
 * The element takes the focus that the page before has left behind; nothing is taken from what still has it. On the page that the browser
 * opened the focus begins at the top, as everywhere.
 */
export function useArrivalFocus<Element extends HTMLElement>() {
  const ref = useRef<Element>(null)
  useEffect(() => {
    if (currentPage().how !== 'opened' && isFocusNowhere()) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
