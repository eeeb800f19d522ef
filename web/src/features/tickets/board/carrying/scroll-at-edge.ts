import { scaled } from '../../../../lib/display/larger-font.ts'
import type { Layout } from '../board-layout.ts'

/** The board scrolls when the pointer is this close to its edge, by this much a frame, in pixels. */
const edge = 56
const step = 14

/** On a narrow screen the board scrolls by one column, then pauses this long, in milliseconds. */
const pause = 800
let lastColumnAt = 0

/** -1 near the beginning, 1 near the end, otherwise 0. */
function nearEdge(at: number, from: number, to: number) {
  if (at < from + edge) return -1
  return at > to - edge ? 1 : 0
}

/** Scrolls the board where the pointer is near its edges; returns whether it is. */
export function scrollAtEdge(element: HTMLElement | null, { columns }: Layout, x: number, y: number) {
  if (!element) return false
  const box = element.getBoundingClientRect()
  const across = nearEdge(x, box.left, Math.min(box.right, window.innerWidth))
  const down = nearEdge(y, box.top, Math.min(box.bottom, window.innerHeight))
  if (across === 0 && down === 0) return false
  if (element.clientWidth >= scaled(600)) element.scrollBy({ left: across * step, top: down * step, behavior: 'instant' })
  else {
    // Another scroll would cancel the one in progress.
    if (down !== 0) element.scrollBy({ top: down * step, behavior: 'instant' })
    const now = performance.now()
    if (across === 0 || now - lastColumnAt < pause) return true
    lastColumnAt = now
    const shown = columns.findLastIndex(({ left }) => left <= element.scrollLeft + 1)
    element.scrollTo({ left: columns[Math.max(0, shown + across)]?.left ?? element.scrollLeft, behavior: 'smooth' })
  }
  return true
}
