const margin = 16
const gap = 4
/** Two entries. */
const leastHeight = 72

/** The visible part of the window, in the coordinates of fixed elements: a phone's on-screen keyboard covers the rest. */
function seen() {
  const { clientHeight } = document.documentElement
  const { offsetTop, height } = window.visualViewport ?? { offsetTop: 0, height: clientHeight }
  return { upper: offsetTop + margin, lower: Math.min(clientHeight, offsetTop + height) - margin }
}

/**
 * Calls `place` whenever the anchor of a list may have moved or been covered: the window or its visible part changes, or anything but the list
 * scrolls.
 */
export function onViewChange(list: { current: HTMLElement | null }, place: () => void) {
  const ended = new AbortController()
  const { signal } = ended
  window.addEventListener('resize', place, { signal })
  document.addEventListener('scroll', ({ target }) => target !== list.current && place(), { capture: true, signal })
  window.visualViewport?.addEventListener('resize', place, { signal })
  window.visualViewport?.addEventListener('scroll', place, { signal })
  return () => ended.abort()
}

/** Places a fixed element under its anchor, or above it if there is more room there. If `isWide`, it is at least as wide as the anchor and never over it. */
export function putUnder(element: HTMLElement, anchor: HTMLElement | null, { isWide }: { isWide: boolean }) {
  const around = anchor?.getBoundingClientRect() ?? new DOMRect()
  const { clientWidth } = document.documentElement
  const { upper, lower } = seen()
  const { scrollTop } = element
  if (isWide) element.style.minWidth = `${around.width}px`
  element.style.maxHeight = ''
  const below = around.bottom + gap
  // The list never covers the anchor, in which somebody may be typing.
  const room = Math.max(lower - below, around.top - gap - upper)
  if (isWide && element.getBoundingClientRect().height > room) element.style.maxHeight = `${Math.max(leastHeight, room)}px`
  const { width, height } = element.getBoundingClientRect()
  // Without its limit the list may have had less to scroll.
  element.scrollTop = scrollTop
  const fits = below + height <= lower || around.top - upper < lower - around.bottom
  const top = fits ? Math.min(below, lower - height) : around.top - gap - height
  element.style.left = `${Math.max(margin, Math.min(around.left, clientWidth - margin - width))}px`
  element.style.top = `${Math.max(upper, top)}px`
}
