import { reachableIn } from '../../lib/input/keep-focus.ts'

interface OpenLayer {
  element: HTMLElement
  /** Where the focus goes when it closes: the first that is still there. */
  returnTo: HTMLElement[]
}
/** The open layers; the last one is on top. */
const layers: OpenLayer[] = []

/**
 * How long the rest stays reachable for screen readers when a layer opens, in milliseconds. Orca loses its place if the element that had the focus
 * disappears before the layer has it: it then says neither the dialog nor its field (docs/decisions/118).
 */
const untilInert = 60

/** Makes everything but the topmost layer inert; toasts and tooltips stay usable. */
function blockTheRest(parts: readonly Element[]) {
  const top = layers.at(-1)?.element
  for (const child of parts) {
    if (!(child instanceof HTMLElement) || child.matches('script, [data-tooltip], [aria-live]')) continue
    const isBlocked = top !== undefined && child !== top
    child.inert = isBlocked
    if (isBlocked) child.setAttribute('aria-hidden', 'true')
    else child.removeAttribute('aria-hidden')
  }
}

/** Locks the page's scrolling while a layer is open, and compensates for the width of its scroll bar. */
function holdThePage() {
  const { style } = document.documentElement
  if (layers.length === 0) {
    style.removeProperty('overflow')
    style.removeProperty('padding-right')
    style.removeProperty('--scroll-bar')
  } else if (style.overflow !== 'hidden') {
    // Measured only here: when a layer closes, the page may have changed, and would be laid out once more.
    const width = `${window.innerWidth - document.documentElement.clientWidth}px`
    style.setProperty('padding-right', width)
    // The title bar is fixed: the padding does not hold it.
    style.setProperty('--scroll-bar', width)
    style.setProperty('overflow', 'hidden')
  }
}

/** Where the focus returns from a layer that opens now. Call it before the layer takes the focus. */
export function placeToReturn() {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active === document.body) return []
  return [active, ...(layers.find(({ element }) => element.contains(active))?.returnTo ?? [])]
}

/** Restores the focus. If the element is disabled or gone by then, its container or the heading gets it, or the next Tab would start at the top of the page. */
function giveBack(places: HTMLElement[]) {
  const place = places.find(({ isConnected }) => isConnected)
  if (!place) return document.querySelector('h1')?.focus({ preventScroll: true })
  place.focus()
  if (document.activeElement !== place) place.closest<HTMLElement>('[tabindex]')?.focus()
}

/** A second click within this time after a layer was closed may be that of a double click, in milliseconds. */
const doubleClick = 500

/** The second click of a double click that closed a layer was not meant for what is below it. */
function ignoreSecondClick() {
  const ignore = (event: MouseEvent) => {
    if (event.detail < 2) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', ignore, { capture: true })
  setTimeout(() => document.removeEventListener('click', ignore, { capture: true }), doubleClick)
}

export function openLayer(layer: OpenLayer) {
  layers.push(layer)
  holdThePage()
  // Not what opens meanwhile, such as the list of a field in the layer.
  const announced = setTimeout(blockTheRest, untilInert, [...document.body.children])
  return () => {
    clearTimeout(announced)
    layers.splice(layers.indexOf(layer), 1)
    ignoreSecondClick()
    // The layer itself is left alone: in React's strict mode it opens again at once.
    blockTheRest([...document.body.children].filter(part => part !== layer.element))
    holdThePage()
    const active = document.activeElement
    if (active === null || active === document.body || layer.element.contains(active)) giveBack(layer.returnTo)
  }
}

export const isOnTop = (element: HTMLElement | null) => element !== null && layers.at(-1)?.element === element

/** Lets Tab cycle within a layer and the messages, which stay usable beside it. */
export function keepTabInside(event: KeyboardEvent, element: HTMLElement) {
  const messages = document.querySelector('[data-messages]')
  const parts = [reachableIn(element), messages ? reachableIn(messages) : []].filter(part => part.length > 0)
  const active = document.activeElement as HTMLElement
  const at = Math.max(
    0,
    parts.findIndex(part => part.includes(active)),
  )
  const part = parts[at] ?? []
  const isAtEnd = event.shiftKey ? active === part[0] || !part.includes(active) : active === part.at(-1)
  if (part.length > 0 && !isAtEnd) return
  event.preventDefault()
  const next = parts.at((at + (event.shiftKey ? -1 : 1)) % parts.length)
  ;(event.shiftKey ? next?.at(-1) : next?.[0])?.focus()
}
