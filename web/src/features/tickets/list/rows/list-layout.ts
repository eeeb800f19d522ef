import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'

/** How a list lays out its rows, by the room it has. */
export type ListLayout = 'cards' | 'compact' | 'full'

/** For a list so many pixels wide; a phone has cards whatever its width. */
function layoutFor(width: number): ListLayout {
  return width < 540 ? 'cards' : width < 860 ? 'compact' : 'full'
}
/** In pixels. */
export function rowHeightOf(layout: ListLayout) {
  return layout === 'cards' ? 60 : 36
}

/** How the list lays out its rows, by the room it has. */
export function useLayout(ruler: RefObject<HTMLElement | null>) {
  const isPhone = useMediaQuery('(width < 600px)')
  // What a page's list has on a wide screen; the first drawing need not wait to know.
  const [room, setRoom] = useState<ListLayout>('full')
  useLayoutEffect(() => {
    // Told in the frame that shows it, after its layout: to ask for the width would lay out the page once more.
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width
      if (width) flushSync(() => setRoom(layoutFor(width)))
    })
    if (ruler.current) observer.observe(ruler.current)
    return () => observer.disconnect()
  }, [ruler])
  return isPhone ? 'cards' : room
}
