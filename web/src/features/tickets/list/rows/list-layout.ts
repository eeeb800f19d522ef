import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { scaled, useFontSize } from '../../../../lib/display/larger-font.ts'
import { useMediaQuery } from '../../../../lib/display/use-media-query.ts'

/** How a list lays out its rows, and how many added columns fit beside the others; a column has room for a date. */
interface ListLayout {
  kind: 'cards' | 'compact' | 'full'
  columns: number
}
const cards: ListLayout = { kind: 'cards', columns: 2 }
/** By the width of the list in pixels, which is less than `below`. */
const layouts: readonly (ListLayout & { below: number })[] = [
  { below: 760, ...cards },
  { below: 910, kind: 'compact', columns: 1 },
  { below: 1010, kind: 'full', columns: 2 },
  { below: 1110, kind: 'full', columns: 3 },
  { below: 1210, kind: 'full', columns: 4 },
  { below: 1320, kind: 'full', columns: 5 },
  { below: Number.POSITIVE_INFINITY, kind: 'full', columns: 6 },
]
const layoutFor = (width: number) => layouts.find(({ below }) => width < scaled(below)) ?? cards

/** In pixels; a finger needs 44. The styles have it as `--row`. */
export function useRowHeight(kind: ListLayout['kind'], hasColumns: boolean) {
  const isCoarse = useMediaQuery('(pointer: coarse)')
  useFontSize()
  if (kind !== 'cards') return scaled(isCoarse ? 44 : 36)
  return scaled(hasColumns ? 82 : 60)
}

/** The list's width in pixels by the styles of the page and of a ticket's two columns: the first render does not wait for a measurement. */
function expectedWidth(isOfTicket: boolean) {
  const width = Math.min(window.innerWidth, 1440) - 50
  return isOfTicket && window.innerWidth >= 960 ? width - 370 : width
}

/** The layout for the list's width. */
export function useLayout(ruler: RefObject<HTMLElement | null>, isOfTicket: boolean) {
  const isPhone = useMediaQuery('(width < 37.5rem)')
  const font = useFontSize()
  const [room, setRoom] = useState<ListLayout>(() => layoutFor(expectedWidth(isOfTicket)))
  useLayoutEffect(() => {
    // A ResizeObserver reports after layout, in the same frame; reading the width would force another layout.
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width
      if (width) flushSync(() => setRoom(layoutFor(width)))
    })
    if (ruler.current) observer.observe(ruler.current)
    return () => observer.disconnect()
  }, [ruler, font])
  return isPhone ? cards : room
}
