const margin = 16
const gap = 4

/** Places a fixed element under another one, or above it if there is more room; at least as wide if it `isWide`. */
export function putUnder(element: HTMLElement, anchor: HTMLElement | null, isWide: boolean) {
  const around = anchor?.getBoundingClientRect() ?? new DOMRect()
  const { clientWidth, clientHeight } = document.documentElement
  if (isWide) element.style.minWidth = `${around.width}px`
  const { width, height } = element.getBoundingClientRect()
  const below = around.bottom + gap
  const fits = below + height <= clientHeight - margin || around.top < clientHeight - around.bottom
  const top = fits ? Math.min(below, clientHeight - margin - height) : around.top - gap - height
  element.style.left = `${Math.max(margin, Math.min(around.left, clientWidth - margin - width))}px`
  element.style.top = `${Math.max(margin, top)}px`
}
