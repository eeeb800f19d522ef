import type { UseInfiniteQueryResult } from '@tanstack/react-query'

/** What `MoreButton` needs to know of a list that is read by page. */
export function moreOf({ hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage }: UseInfiniteQueryResult<unknown>) {
  return {
    hasMore: hasNextPage,
    isFetching: isFetchingNextPage,
    error: isFetchNextPageError ? error : null,
    more: () => void fetchNextPage(),
  }
}
