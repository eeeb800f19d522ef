import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Toasts glide to their new places when one below or above them comes or goes. */
export function useShift(list: RefObject<HTMLElement | null>) {
  const before = useRef({ top: 0, bottom: 0, places: new Map<Element, number>() })
  useLayoutEffect(() => {
    const box = list.current as HTMLElement
    const was = before.current
    const { top, bottom } = box.getBoundingClientRect()
    // Not `getBoundingClientRect`, which a glide that has not ended moves.
    const places = new Map([...box.children].map(toast => [toast, top + (toast as HTMLElement).offsetTop]))
    before.current = { top, bottom, places }
    // An opened dialog or another window size moved the whole list.
    const hasMoved = was.top !== top && was.bottom !== bottom
    if (hasMoved || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const [toast, place] of places) {
      const distance = (was.places.get(toast) ?? place) - place
      // As long as the transitions in the stylesheet, and added to a glide that has not ended.
      if (distance) toast.animate({ translate: [`0 ${distance}px`, '0'] }, { duration: 300, easing: 'ease', composite: 'add' })
    }
  })
}
