import type { Window } from '../timeline-days.ts'

/** The timeline scrolls when the pointer is this close to the edge of its days, by this much a frame, in pixels. */
const edge = 40
const step = 10

/** The day below the pointer, in days from the first one in sight; it may be out of sight. */
export function dayAt(canvas: HTMLElement | null, { count }: Window, x: number) {
  if (!canvas) return 0
  const { left, width } = canvas.getBoundingClientRect()
  return Math.floor(((x - left) / width) * count)
}

/** Scrolls the days where the pointer is near their edge; returns whether they moved. */
export function scrollAcross(scroller: HTMLElement | null, canvas: HTMLElement | null, x: number) {
  if (!scroller || !canvas) return false
  // The first column hides the days that are scrolled below it.
  const shown = scroller.getBoundingClientRect()
  const left = shown.left + canvas.offsetLeft
  const isAtStart = x < left + edge
  const isAtEnd = x > shown.right - edge
  const before = scroller.scrollLeft
  if (isAtStart || isAtEnd) scroller.scrollBy({ left: isAtStart ? -step : step, behavior: 'instant' })
  return scroller.scrollLeft !== before
}
