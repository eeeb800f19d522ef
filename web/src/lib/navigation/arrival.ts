import { useEffect, useRef } from 'react'
import { isFocusNowhere } from '../input/keep-focus.ts'
import { currentPage } from './navigation.ts'

/** Gives the focus to the page's heading if what had it was removed. */
export function focusHeading() {
  if (isFocusNowhere()) document.querySelector('h1')?.focus({ preventScroll: true })
}

/**
 * Focuses the element if the previous page's focus was lost; never takes the focus from another element. On the first page that the browser loads, the
 * focus starts at the top, as usual.
 */
export function useArrivalFocus<Element extends HTMLElement>() {
  const ref = useRef<Element>(null)
  useEffect(() => {
    if (currentPage().how !== 'opened' && isFocusNowhere()) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
