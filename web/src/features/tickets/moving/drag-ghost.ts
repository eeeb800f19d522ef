import styles from './drag-ghost.module.css'

/** The window scrolls when the pointer is this close to its edge, by this much a frame, in pixels. */
const edge = 70
const step = 12

/** The box that follows the pointer: what is dragged, and below it `words` that say where it would go. */
export function dragGhost(dragged: string, words: HTMLElement) {
  const ghost = document.createElement('div')
  ghost.className = styles.ghost ?? ''
  ghost.setAttribute('aria-hidden', 'true')
  ghost.append(dragged, words)
  return ghost
}

/** Scrolls the window where the pointer is near its upper or lower edge; returns whether it is. */
export function scrollWindowAtEdge(_x: number, y: number) {
  const isAtTop = y < edge
  const isAtEnd = y > window.innerHeight - edge
  if (isAtTop || isAtEnd) window.scrollBy({ top: isAtTop ? -step : step, behavior: 'instant' })
  return isAtTop || isAtEnd
}
