import { useState } from 'react'
import type { PreviewPage } from './change-preview.tsx'

/** The pages of a preview, loaded on demand. */
export function usePreviewPages<Page extends PreviewPage>(readOn: (first: Page, cursor: string) => Promise<PreviewPage>) {
  const [pages, setPages] = useState<readonly [Page, ...PreviewPage[]]>()
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
