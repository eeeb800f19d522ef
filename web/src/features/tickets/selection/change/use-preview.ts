import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { moreOf } from '../../../../components/more-button/more-of.ts'
import type { CallError } from '../../../../lib/calls/api.ts'
import type { PreviewPage } from './change-preview.tsx'

/**
 * The pages of a preview: `read` gets the page before the wanted one. It is read once for each key, at once if `enabled`, and stays as it was shown,
 * because that is what the person agrees to.
 */
export function usePreview<Page extends PreviewPage>(
  key: readonly unknown[],
  read: (before: Page | undefined) => Promise<Page>,
  enabled = true,
) {
  type Before = Page | undefined
  const preview = useInfiniteQuery<Page, CallError, InfiniteData<Page, Before>, readonly unknown[], Before>({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam as Before),
    initialPageParam: undefined,
    getNextPageParam: page => (page.NextCursor === null ? undefined : page),
    enabled,
    retry: false,
    staleTime: 'static',
    gcTime: 0,
  })
  return {
    pages: preview.data?.pages,
    /** The first page is being read. */
    isLooking: preview.isLoading,
    /** Of the first page. */
    error: preview.data ? null : preview.error,
    retry: () => void preview.refetch(),
    list: moreOf(preview),
  }
}
