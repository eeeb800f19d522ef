import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Milliseconds, as the transitions in the stylesheet. */
const duration = 300

/** Toasts glide to their new places when one below or above them comes or goes. */
export function useShift(list: RefObject<HTMLElement | null>) {
  const before = useRef<{ top: number; bottom: number; places: Map<Element, number> }>(undefined)
  useLayoutEffect(() => {
    if (!list.current) return
    const { top, bottom } = list.current.getBoundingClientRect()
    // Not `getBoundingClientRect`, which a glide that has not ended moves.
    const places = new Map([...list.current.children].map(toast => [toast, top + (toast as HTMLElement).offsetTop]))
    const was = before.current
    before.current = { top, bottom, places }
    // An opened dialog or another window size moved the whole list.
    const isInPlace = was?.top === top || was?.bottom === bottom
    if (!was || !isInPlace || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const [toast, place] of places) {
      const distance = (was.places.get(toast) ?? place) - place
      // Added to a glide that has not ended.
      if (distance) toast.animate({ translate: [`0 ${distance}px`, '0 0'] }, { duration, easing: 'ease', composite: 'add' })
    }
  })
}
