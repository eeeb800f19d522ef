const margin = 16
const gap = 4
/** Two entries. */
const leastHeight = 72

/** Places a fixed element under its anchor, or above it if there is more room there. If `isWide`, it is at least as wide as the anchor and never over it. */
export function putUnder(element: HTMLElement, anchor: HTMLElement | null, isWide: boolean) {
  const around = anchor?.getBoundingClientRect() ?? new DOMRect()
  const { clientWidth, clientHeight } = document.documentElement
  if (isWide) element.style.minWidth = `${around.width}px`
  element.style.maxHeight = ''
  const below = around.bottom + gap
  // Whoever types in the anchor sees it above or below the list.
  const room = Math.max(clientHeight - margin - below, around.top - gap - margin)
  if (isWide && element.getBoundingClientRect().height > room) element.style.maxHeight = `${Math.max(leastHeight, room)}px`
  const { width, height } = element.getBoundingClientRect()
  const fits = below + height <= clientHeight - margin || around.top < clientHeight - around.bottom
  const top = fits ? Math.min(below, clientHeight - margin - height) : around.top - gap - height
  element.style.left = `${Math.max(margin, Math.min(around.left, clientWidth - margin - width))}px`
  element.style.top = `${Math.max(margin, top)}px`
}
