import { hashKey, type Query, type QueryClient } from '@tanstack/react-query'

/** Queries that are refetched in the background. */
const underWay = new Set<string>()

/** Whether the query is a background refetch, which does not extend the session. */
export function isInBackground(queryKey: readonly unknown[]) {
  return underWay.has(hashKey(queryKey))
}

/** Invalidates the queries, and refetches visible ones at once. */
export async function refetchInBackground(queries: QueryClient, predicate: (query: Query) => boolean) {
  const hashes = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate })
    .map(({ queryHash }) => queryHash)
  for (const hash of hashes) underWay.add(hash)
  await queries.invalidateQueries({ predicate })
  for (const hash of hashes) underWay.delete(hash)
}
