import { useInfiniteQuery } from '@tanstack/react-query'
import type { Access, Call } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { useState } from 'react'
import { type CallError, post } from './api.ts'
import { isInBackground } from './background.ts'

interface Page<Row> {
  /** The id of the row before its first one. */
  after: number
  rows: Row[]
}

/** The rows of a list that come after a page of it, which was read later; undefined if more than a page of new ones may lie in between. */
function rowsAfter<Row>(page: readonly Row[], rows: readonly Row[], idOf: (row: Row) => number) {
  const ids = new Set(page.map(idOf))
  const last = page.at(-1)
  const at = last === undefined ? -1 : rows.findIndex(row => idOf(row) === idOf(last))
  // Rows that were deleted make room for older ones: then none is pushed out.
  if (at < 0) return rows.some(row => ids.has(idOf(row))) ? [] : undefined
  return rows.slice(at + 1)
}

/** The pages after the first one of a list whose call takes `Before`; loaded on request. */
export function useOlder<Input extends object, Row>(
  call: Call<'query', Access, Input, Row[]>,
  input: NoInfer<Input>,
  first: Row[] | undefined,
  idOf: (row: Row) => number,
) {
  const lastOf = (page: Row[]) => (page.length < limits.pageSize ? undefined : idOf(page.at(-1) as Row))
  const before = first && lastOf(first)
  const asked = JSON.stringify(input)
  /** What was opened: for which input, where the first page ended then, how it is now, and the rows that new ones have pushed out of it. */
  const [opened, setOpened] = useState<{ asked: string; from: number; first: Row[]; pushed: Row[] }>()
  const open = opened?.asked === asked ? opened : undefined
  if (open && first && before !== undefined && open.first !== first) {
    const pushed = rowsAfter(first, [...open.first, ...open.pushed], idOf)
    setOpened(pushed && { ...open, first, pushed })
  }
  const pages = useInfiniteQuery<Page<Row>, CallError, Page<Row>, readonly unknown[], number>({
    // Not by `before`: a new row would change it, and the pages that were loaded would be gone.
    queryKey: [call.path, input, 'older', open?.from],
    queryFn: async ({ signal, queryKey, pageParam }) => {
      const after = pageParam || (before ?? 0)
      return { after, rows: await post(call, { ...input, Before: after }, { signal, isBackground: isInBackground(queryKey) }) }
    },
    // After the first page, wherever it ends when this is read.
    initialPageParam: 0,
    getNextPageParam: ({ rows }) => lastOf(rows),
    select: ({ pages }) => ({ after: pages[0]?.after ?? 0, rows: pages.flatMap(({ rows }) => rows) }),
    enabled: open !== undefined && before !== undefined,
  })
  const isRead = pages.data !== undefined
  // Until the pages are read from where the first one ends now, some rows are in neither.
  const between = open && pages.data?.after !== before ? open.pushed : []
  const inFirst = new Set(first?.map(idOf))
  const rows = new Map([...between, ...(pages.data?.rows ?? [])].map(row => [idOf(row), row]))
  return {
    rows: open && before !== undefined ? [...rows.values()].filter(row => !inFirst.has(idOf(row))) : [],
    hasMore: before !== undefined && (!isRead || pages.hasNextPage),
    error: before === undefined ? null : pages.error,
    isFetching: pages.isFetching,
    more: () => {
      if (!open && first && before !== undefined) setOpened({ asked, from: before, first, pushed: [] })
      else void (isRead ? pages.fetchNextPage() : pages.refetch())
    },
  }
}
