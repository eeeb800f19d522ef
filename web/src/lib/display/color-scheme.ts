import { useSyncExternalStore } from 'react'
import { storeLocally } from '../state/store-locally.ts'

type ColorScheme = 'system' | 'light' | 'dark'
const key = 'color-scheme'

function current(): ColorScheme {
  const chosen = localStorage.getItem(key)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function listen(changed: () => void) {
  window.addEventListener(key, changed)
  window.addEventListener('storage', changed)
  return () => {
    window.removeEventListener(key, changed)
    window.removeEventListener('storage', changed)
  }
}

function choose(scheme: ColorScheme) {
  storeLocally(key, scheme === 'system' ? '' : scheme)
  // color-scheme.js, which runs ahead of the application, hears it and changes the page.
  window.dispatchEvent(new Event(key))
}

/** The scheme chosen in this browser, and how to choose another. */
export function useColorScheme() {
  return [useSyncExternalStore(listen, current), choose] as const
}
