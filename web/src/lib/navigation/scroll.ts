import { storeLocally } from '../state/store-locally.ts'
import { decoded, type Location } from './location.ts'

const storageKey = 'tessera.scroll'
const positions: Record<string, number> = stored()

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

// The browser would scroll before the page is drawn.
history.scrollRestoration = 'manual'
addEventListener('pagehide', () => {
  const { key } = (history.state ?? {}) as Partial<Location>
  if (key) keepScroll(key)
  storeLocally(storageKey, JSON.stringify(positions), 'sessionStorage')
})

/** Stores the scroll position under the key of the page's history entry. */
export function keepScroll(key: string) {
  positions[key] = window.scrollY
}

/** Scrolls to where the page was left, to its hash, or to the top. */
export function restoreScroll({ key, hash }: Location) {
  const kept = positions[key]
  if (kept !== undefined) return window.scrollTo(0, kept)
  const named = hash && document.getElementById(decoded(hash.slice(1)))
  if (named) named.scrollIntoView()
  else window.scrollTo(0, 0)
}
