import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Call, Request, Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { useState } from 'react'
import { type CallError, post } from './api.ts'

/** The pages after the first one of a list whose call takes `Before`; loaded on request. */
export function useOlder<C extends Call<'query'>>(
  call: C,
  input: Request<C>,
  first: Response<C> | undefined,
  idOf: (row: (Response<C> & unknown[])[number]) => number,
) {
  type Rows = Response<C> & unknown[]
  const lastOf = (page: Rows) => (page.length < limits.pageSize ? undefined : idOf(page[page.length - 1] as Rows[number]))
  const before = first && lastOf(first as Rows)
  const [isOpen, open] = useState(false)
  const pages = useInfiniteQuery<Rows, CallError, Rows[number][], readonly unknown[], number>({
    queryKey: [call.path, input, 'older', before],
    queryFn: async ({ signal, pageParam }) => (await post(call, { ...input, Before: pageParam } as Request<C>, { signal })) as Rows,
    initialPageParam: before ?? 0,
    getNextPageParam: lastOf,
    select: ({ pages }) => pages.flat(),
    enabled: isOpen && before !== undefined,
    placeholderData: keepPreviousData,
  })
  const isRead = pages.data !== undefined
  return {
    rows: before === undefined ? [] : (pages.data ?? []),
    hasMore: before !== undefined && (!isRead || pages.hasNextPage),
    error: before === undefined ? null : pages.error,
    isFetching: pages.isFetching,
    more: () => {
      if (!isOpen) open(true)
      else void (isRead ? pages.fetchNextPage() : pages.refetch())
    },
  }
}
