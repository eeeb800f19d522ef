import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { scaled } from '../../../../lib/display/larger-font.ts'
import { useRemainingHeight } from '../../../../lib/display/sight/use-remaining-height.ts'
import { cardPitch, type Sight } from '../board-layout.ts'

/** The visible part of the board, in steps, so that not every scrolled pixel re-renders it; and its height on this screen. */
export function useSight(scroller: RefObject<HTMLElement | null>) {
  const [sight, setSight] = useState<Sight>({ left: 0, top: 0, width: window.innerWidth, height: window.innerHeight })
  const height = useRemainingHeight(scroller, { below: scaled(24), lowest: scaled(420) })
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
  useLayoutEffect(() => look(false))
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const onScroll = () => look(true)
    const observer = new ResizeObserver(() => look(false))
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller])
  return { sight, height }
}
