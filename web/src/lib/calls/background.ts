import { hashKey, type Query, type QueryClient } from '@tanstack/react-query'

/** How many background refetches of each query are not over, by its hash: the next one may begin before the one before has ended. */
const underWay = new Map<string, number>()
function count(queryHash: string, by: 1 | -1) {
  const now = (underWay.get(queryHash) ?? 0) + by
  if (now > 0) underWay.set(queryHash, now)
  else underWay.delete(queryHash)
}

/** Queries to read again when their answer is there, because that answer may be older than a change. */
const overtaken = new WeakSet<Query>()

/** Whether the query is a background refetch, which does not extend the session. */
export function isInBackground(queryKey: readonly unknown[]) {
  return underWay.has(hashKey(queryKey))
}

/**
 * Invalidates the queries, and refetches visible ones at once. One that is being read is read again afterwards: starting over with each change
 * would never end while changes come faster than answers. With `cancelRefetch` it starts over, for example because its connection may be gone.
 */
export async function refetchInBackground(queries: QueryClient, predicate: (query: Query) => boolean, { cancelRefetch = false } = {}) {
  const active = queries.getQueryCache().findAll({ type: 'active', predicate })
  for (const query of active) {
    count(query.queryHash, 1)
    if (!cancelRefetch && query.state.fetchStatus === 'fetching') overtaken.add(query)
  }
  await queries.invalidateQueries({ predicate }, { cancelRefetch })
  for (const { queryHash } of active) count(queryHash, -1)
}

/**
 * Reads again what a change has overtaken. This includes queries that were invalidated while their first answer was under way: TanStack Query
 * cancels a later read and starts over, but lets the first one finish and takes its answer for fresh.
 */
export function refetchOvertaken(queries: QueryClient) {
  queries.getQueryCache().subscribe(event => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const hasData = query.state.data !== undefined
    const isFirstRead = !hasData && query.state.fetchStatus === 'fetching'
    // After an error the data would stay old; without data the page says what failed.
    const isOver = action.type === 'success' || (action.type === 'error' && hasData)
    // The next page, when it is asked for, cancels the read of those before it, and makes them count as fresh.
    const isMore = action.type === 'fetch' && action.meta?.fetchMore !== undefined && query.state.isInvalidated
    if ((action.type === 'invalidate' && isFirstRead) || isMore) overtaken.add(query)
    else if (isOver && overtaken.delete(query)) void refetchInBackground(queries, one => one === query)
    // TanStack Query would take the pages before one that could not be read for stale.
    else if (action.type === 'error' && query.state.fetchMeta?.fetchMore) query.setState({ isInvalidated: false })
  })
}
