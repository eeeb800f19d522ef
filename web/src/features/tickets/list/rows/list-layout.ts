import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useMediaQuery } from '../../../../lib/display/use-media-query.ts'

/** How a list lays out its rows, depending on its width. */
type ListLayout = 'cards' | 'compact' | 'full' | 'wide'

/** How many added columns fit next to the others. */
export const roomForColumns = { cards: 2, compact: 1, full: 3, wide: 6 } as const satisfies Record<ListLayout, number>

/** For a list so many pixels wide; a phone has cards whatever its width. */
function layoutFor(width: number): ListLayout {
  return width < 760 ? 'cards' : width < 900 ? 'compact' : width < 1200 ? 'full' : 'wide'
}
/** In pixels; a finger needs 44. */
export function useRowHeight(layout: ListLayout, hasColumns: boolean) {
  const isCoarse = useMediaQuery('(pointer: coarse)')
  if (layout !== 'cards') return isCoarse ? 44 : 36
  return hasColumns ? 82 : 60
}

/** The layout for the list's width. `expected` is the layout on a wide screen, so that the first render need not wait for a measurement. */
export function useLayout(ruler: RefObject<HTMLElement | null>, expected: ListLayout) {
  const isPhone = useMediaQuery('(width < 600px)')
  const [room, setRoom] = useState(expected)
  useLayoutEffect(() => {
    // A ResizeObserver reports after layout, in the same frame; reading the width would force another layout.
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width
      if (width) flushSync(() => setRoom(layoutFor(width)))
    })
    if (ruler.current) observer.observe(ruler.current)
    return () => observer.disconnect()
  }, [ruler])
  return isPhone ? 'cards' : room
}
