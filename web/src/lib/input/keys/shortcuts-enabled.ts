import { useSyncExternalStore } from 'react'
import { createListeners } from '../../state/listeners.ts'
import { storeLocally } from '../../state/store-locally.ts'

const stored = 'tessera.shortcuts'
const { subscribe, notify } = createListeners()

/** Whether single-key shortcuts work; each person may switch them off in this browser (WCAG 2.1.4). */
export function shortcutsEnabled() {
  return localStorage.getItem(stored) !== 'off'
}
export function useShortcutsEnabled() {
  return useSyncExternalStore(subscribe, shortcutsEnabled)
}
export function enableShortcuts(on: boolean) {
  storeLocally(stored, on ? '' : 'off')
  notify()
}
