import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { scaled } from '../../../../lib/display/larger-font.ts'
import { cardPitch, type Sight } from '../board-layout.ts'

/** Space below the board, and its minimum height, in pixels of the design. */
const below = 24
const lowest = 420

/** The visible part of the board, in steps, so that not every scrolled pixel re-renders it; and its height on this screen. */
export function useSight(scroller: RefObject<HTMLElement | null>) {
  const [sight, setSight] = useState<Sight>({ left: 0, top: 0, width: window.innerWidth, height: window.innerHeight })
  const [height, setHeight] = useState(() => scaled(lowest))
  const look = useEffectEvent((isScroll: boolean) => {
    const element = scroller.current
    if (!element) return
    const step = (value: number) => Math.floor(value / cardPitch()) * cardPitch()
    const next = {
      left: step(element.scrollLeft),
      top: step(element.scrollTop),
      width: element.clientWidth + cardPitch(),
      height: element.clientHeight + cardPitch(),
    }
    if (next.left === sight.left && next.top === sight.top && next.width === sight.width && next.height === sight.height) return
    // Synchronously in the same frame, or there would be gaps.
    if (isScroll) flushSync(() => setSight(next))
    else setSight(next)
  })
  const fit = useEffectEvent(() => {
    if (!scroller.current) return
    const top = scroller.current.getBoundingClientRect().top + window.scrollY
    setHeight(Math.max(scaled(lowest), window.innerHeight - top - scaled(below)))
  })
  useLayoutEffect(() => {
    fit()
    look(false)
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const onScroll = () => look(true)
    const observer = new ResizeObserver(() => look(false))
    const onResize = () => fit()
    element.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', onResize)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', onResize)
      observer.disconnect()
    }
  }, [scroller])
  return { sight, height }
}
