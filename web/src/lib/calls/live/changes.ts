import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { isConcerned, isOfOneRow } from './concerned.ts'

type Watcher = (changes: readonly Required<LiveEvent>[]) => void
const watchers = new Set<Watcher>()
/** Registers a watcher for changes of single tickets, for components that apply them without a refetch. */
export function watchTickets(watcher: Watcher) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
export function tellWatchers(changes: readonly LiveEvent[]) {
  const ofOne = changes.filter(isOfOneRow)
  if (ofOne.length > 0) for (const watcher of watchers) watcher(ofOne)
}

/** Takes the changes of this page while the stream is open; undefined while it is not. */
let gather: ((change: LiveEvent) => void) | undefined
export function gatherWith(gathering: typeof gather) {
  gather = gathering
}

/**
 * Refetches what a change of this page concerns. While the stream is open it waits for the change's echo, so that everything is refetched once and not
 * twice.
 */
export function refetchAfter(queries: QueryClient, change: LiveEvent) {
  if (gather) gather(change)
  else {
    tellWatchers([change])
    void queries.refetchQueries({ type: 'active', predicate: query => isConcerned(query, change) })
  }
}
