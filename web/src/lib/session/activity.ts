// When the person last extended the session, in any tab of this browser.
const storage = 'tessera-seen'
let seen = 0

/** After each call that extends the session. */
export function noteSeen() {
  seen = Date.now()
  try {
    localStorage.setItem(storage, String(seen))
  } catch {
    // localStorage is full or unavailable: other tabs do not know.
  }
}
/** In milliseconds, by this browser's clock. */
export function lastSeen() {
  return Math.max(seen, Number(localStorage.getItem(storage)) || 0)
}
