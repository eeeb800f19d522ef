import { hashKey, type Query, type QueryClient } from '@tanstack/react-query'

/** What is being read again without anybody asking. */
const underWay = new Set<string>()

/** Whether the query reads by itself: the session is not extended then. */
export function isInBackground(queryKey: readonly unknown[]) {
  return underWay.has(hashKey(queryKey))
}

/** Marks the queries as old, and reads at once what is shown. */
export async function refetchInBackground(queries: QueryClient, predicate: (query: Query) => boolean) {
  const hashes = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate })
    .map(({ queryHash }) => queryHash)
  for (const hash of hashes) underWay.add(hash)
  await queries.invalidateQueries({ predicate })
  for (const hash of hashes) underWay.delete(hash)
}
