import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { isConcerned } from './concerned.ts'
import { tellWatchers } from './watch-tickets.ts'

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
