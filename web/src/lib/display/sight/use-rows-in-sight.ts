import { type RefObject, useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePrinting } from './use-printing.ts'

/** Rows rendered beyond the edges of the window (overscan), so that a scroll step shows them at once. */
export const rowsBeyond = 6

/** At least so much of the window is above a page's first row, in pixels: what is drawn first needs no rows for it. */
const aboveRows = 200

interface Rows {
  count: number
  /** Of each row, in pixels. */
  height: number
  /** Whether invisible rows are rendered too, once the visible ones are. */
  isWhole: boolean
}

/** Which rows of a list that scrolls with the page or a dialog are rendered: from `first` up to, but not including, `end`. `list` begins where the first row does. */
export function useRowsInSight(list: RefObject<HTMLElement | null>, { count, height, isWhole }: Rows) {
  const [sight, setSight] = useState(() => ({ first: 0, end: Math.max(1, Math.ceil((window.innerHeight - aboveRows) / height)) }))
  const isDrawn = useDeferredValue(true, false)
  const isPrinting = usePrinting()
  const look = useEffectEvent((isScroll: boolean) => {
    if (!list.current || (isWhole && (isDrawn || !isScroll))) return
    const above = -list.current.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(above / height) - rowsBeyond)
    const end = Math.max(first, Math.ceil((above + window.innerHeight) / height) + rowsBeyond)
    if (first === sight.first && end === sight.end) return
    // Synchronously in the same frame, or there would be gaps.
    if (isScroll) flushSync(() => setSight({ first, end }))
    else setSight({ first, end })
  })
  useLayoutEffect(() => look(false), [count, height, isWhole])
  useEffect(() => {
    const ended = new AbortController()
    // `capture`: a list in a dialog scrolls with the dialog's content, and that event does not bubble.
    const options = { passive: true, capture: true, signal: ended.signal }
    const onScroll = () => look(true)
    window.addEventListener('scroll', onScroll, options)
    window.addEventListener('resize', onScroll, options)
    return () => ended.abort()
  }, [])
  if ((isWhole && isDrawn) || isPrinting) return { first: 0, end: count }
  const end = Math.min(count, sight.end)
  return { first: Math.min(sight.first, end), end }
}
