import { storeLocally } from '../state/store-locally.ts'

// When the person last extended the session, in any tab of this browser.
const storage = 'tessera-seen'
let seen = 0

/** After each call that extends the session. */
export function noteSeen() {
  seen = Date.now()
  storeLocally(storage, String(seen))
}
/** In milliseconds, by this browser's clock. */
export function lastSeen() {
  return Math.max(seen, Number(localStorage.getItem(storage)) || 0)
}
/** Calls back when another tab of this browser signs out, and whenever another tab uses its session. */
export function followOtherTabs(onSignOut: () => void, onUse: () => void) {
  const changed = ({ key, newValue }: StorageEvent) => {
    if (key === storage) (newValue === null ? onSignOut : onUse)()
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}
/** Whether a person has signed out since, in any tab: a logout removes what this browser stores. */
export function isSignedOut() {
  return localStorage.getItem(storage) === null
}
