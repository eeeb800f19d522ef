import type { LiveEvent } from '@tessera/contract/projects/live'
import { isOfOneTicket } from './kinds.ts'

type Watcher = (changes: readonly Required<LiveEvent>[]) => void
const watchers = new Set<Watcher>()
/** Registers a watcher for changes of single tickets, for components that apply them without a refetch. */
export function watchTickets(watcher: Watcher) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export function tellWatchers(changes: readonly LiveEvent[]) {
  const ofOne = changes.filter(isOfOneTicket)
  if (ofOne.length > 0) for (const watcher of watchers) watcher(ofOne)
}
