import { useState } from 'react'
import type { ForeseenPage } from './foreseen.tsx'

/** The pages of a preview, read on as they are wanted. */
export function useForeseen<Page extends ForeseenPage>(readOn: (first: Page, cursor: string) => Promise<ForeseenPage>) {
  const [pages, setPages] = useState<readonly [Page, ...ForeseenPage[]]>()
  const [reading, setReading] = useState<{ isFetching: boolean; error: Error | null }>({ isFetching: false, error: null })
  const cursor = pages?.at(-1)?.NextCursor ?? null
  const more = async () => {
    if (!pages || cursor === null) return
    setReading({ isFetching: true, error: null })
    try {
      const next = await readOn(pages[0], cursor)
      setPages(now => (now === pages ? [...now, next] : now))
      setReading({ isFetching: false, error: null })
    } catch (problem) {
      setReading({ isFetching: false, error: problem as Error })
    }
  }
  return {
    pages,
    show: (page: Page | undefined) => setPages(page && [page]),
    list: { hasMore: cursor !== null, ...reading, more: () => void more() },
  }
}
