import { useSyncExternalStore } from 'react'
import { createListeners } from '../state/listeners.ts'

export const unreachableMessage = 'The server cannot be reached. Check the connection and try again.'

let isOffline = false
const { subscribe, notify } = createListeners()

/** Called by every call and by the stream of changes: whether the server answered, with any status. */
export function noteReach(isReached: boolean) {
  if (isOffline === !isReached) return
  isOffline = !isReached
  notify()
}
addEventListener('online', () => noteReach(true))
addEventListener('offline', () => noteReach(false))

/** Calls the listener when the server is reached again. */
export function onReachedAgain(listener: () => void) {
  return subscribe(() => {
    if (!isOffline) listener()
  })
}

export function isUnreached() {
  return isOffline
}

/** Whether the last call could not reach the server, or the browser is offline. */
export function useOffline() {
  return useSyncExternalStore(subscribe, () => isOffline)
}
