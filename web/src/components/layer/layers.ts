interface OpenLayer {
  element: HTMLElement
  /** Where the focus goes when it closes: the first that is still there. */
  returnTo: HTMLElement[]
}
/** The open layers; the last one is on top. */
const layers: OpenLayer[] = []

/** Nothing but the topmost layer can be clicked, reached or read; messages and tooltips stay. */
function blockTheRest() {
  const top = layers.at(-1)?.element
  for (const child of document.body.children) {
    if (!(child instanceof HTMLElement) || child.matches('script, [data-tooltip], [aria-live]')) continue
    const isBlocked = top !== undefined && child !== top
    child.inert = isBlocked
    if (isBlocked) child.setAttribute('aria-hidden', 'true')
    else child.removeAttribute('aria-hidden')
  }
}

/** The page behind stays where it is, and does not move aside when its scroll bar goes. */
function holdThePage() {
  const { style, clientWidth } = document.documentElement
  if (layers.length === 0) {
    style.removeProperty('overflow')
    style.removeProperty('padding-right')
  } else if (layers.length === 1) {
    style.setProperty('padding-right', `${window.innerWidth - clientWidth}px`)
    style.setProperty('overflow', 'hidden')
  }
}

/** Where to return from a layer that opens now. Asked before it takes the focus. */
export function placeToReturn() {
  const active = document.activeElement
  if (!(active instanceof HTMLElement)) return []
  return [active, ...(layers.find(({ element }) => element.contains(active))?.returnTo ?? [])]
}

/** What is disabled by then takes no focus: what it stands in does, or the next Tab would begin at the top of the page. */
function giveBack(places: HTMLElement[]) {
  const place = places.find(({ isConnected }) => isConnected)
  place?.focus()
  if (document.activeElement !== place) place?.closest<HTMLElement>('[tabindex]')?.focus()
}

export function openLayer(layer: OpenLayer) {
  layers.push(layer)
  holdThePage()
  blockTheRest()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    blockTheRest()
    holdThePage()
    const active = document.activeElement
    if (active === null || active === document.body || layer.element.contains(active)) giveBack(layer.returnTo)
  }
}

export const isOnTop = (element: HTMLElement | null) => element !== null && layers.at(-1)?.element === element

const reachable =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [tabindex], [contenteditable]'

/** Tab goes round inside a layer. */
export function keepTabInside(event: KeyboardEvent, element: HTMLElement) {
  const stops = [...element.querySelectorAll<HTMLElement>(reachable)].filter(
    stop => stop.tabIndex >= 0 && stop.checkVisibility?.() !== false,
  )
  const [first, last] = [stops[0], stops.at(-1)]
  const active = document.activeElement
  const isAtEnd = event.shiftKey ? active === first || !stops.includes(active as HTMLElement) : active === last
  if (first && last && !isAtEnd) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next?.focus()
}
