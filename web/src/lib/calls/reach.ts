import { useSyncExternalStore } from 'react'

export const unreachableMessage = 'The server cannot be reached. Check the connection and try again.'

let isOffline = false
const listeners = new Set<() => void>()

/** Told by every call and by the stream of changes: whether the server answered, whatever it said. */
export function noteReach(isReached: boolean) {
  if (isOffline === !isReached) return
  isOffline = !isReached
  for (const tell of listeners) tell()
}
addEventListener('online', () => noteReach(true))
addEventListener('offline', () => noteReach(false))

function listen(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Whether the last call found no server, or the browser has no connection. */
export function useOffline() {
  return useSyncExternalStore(listen, () => isOffline)
}
