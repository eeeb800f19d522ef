import { storeLocally } from '../state/store-locally.ts'

/** In sessionStorage: it survives a reload of the login page, stays in its tab and is gone after a sign-out. */
const stored = 'tessera.way-back'
/** Pages that are not remembered: those before the sign-in, and home, because the sign-in itself decides whether it leads there. */
const forgotten = /^\/(login|logout|reset-password|reset-password-verify|confirm-email|invitation|set-up|home|api)?(\/|$)/

/** The path, if it is one of the product's own pages: never another site, however it is written. */
export function ownPath(path: string) {
  if (!/^\/(?![/\\])/.test(path) || !URL.canParse(path, location.origin)) return
  const { origin, pathname, search, hash } = new URL(path, location.origin)
  if (origin !== location.origin || pathname.startsWith('//') || forgotten.test(pathname)) return
  return pathname + search + hash
}

/** Remembers the page that somebody signed out wanted to see. */
export function rememberWayBack(path: string) {
  storeLocally(stored, ownPath(path) ?? '', 'sessionStorage')
}

/** Returns and forgets the page that the sign-in was for; undefined if the user opened the login page directly. */
export function takeWayBack() {
  const path = sessionStorage.getItem(stored)
  sessionStorage.removeItem(stored)
  return path === null ? undefined : ownPath(path)
}

/** Forgets it if the login page was opened directly and not reloaded. */
export function forgetWayBack() {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (opened?.type === 'navigate') sessionStorage.removeItem(stored)
}
