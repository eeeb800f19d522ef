import type { Query, QueryClient } from '@tanstack/react-query'
import { refetchInBackground } from './background.ts'

/**
 * Reads again what was invalidated while its first answer was under way, because that answer may be older than the change. TanStack Query
 * cancels a later read and starts over, but lets the first one finish and takes its answer for fresh.
 */
export function refetchOvertaken(queries: QueryClient) {
  const overtaken = new WeakSet<Query>()
  queries.getQueryCache().subscribe(event => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const isFirstRead = query.state.data === undefined && query.state.fetchStatus === 'fetching'
    if (action.type === 'invalidate' && isFirstRead) overtaken.add(query)
    else if (action.type === 'success' && overtaken.delete(query)) void refetchInBackground(queries, one => one === query)
  })
}
