import { useState } from 'react'
import type { PreviewPage } from './change-preview.tsx'

interface Shown<Page> {
  pages: readonly [Page, ...PreviewPage[]] | undefined
  isFetching: boolean
  error: Error | null
}

/** The pages of a preview, loaded on demand. */
export function usePreviewPages<Page extends PreviewPage>(readOn: (first: Page, cursor: string) => Promise<PreviewPage>) {
  const [{ pages, isFetching, error }, set] = useState<Shown<Page>>({ pages: undefined, isFetching: false, error: null })
  const cursor = pages?.at(-1)?.NextCursor ?? null
  const more = async () => {
    if (!pages || cursor === null) return
    // Nothing once another preview is shown.
    const update = (change: Partial<Shown<Page>>) => set(now => (now.pages === pages ? { ...now, ...change } : now))
    update({ isFetching: true, error: null })
    try {
      const next = await readOn(pages[0], cursor)
      update({ pages: [...pages, next], isFetching: false })
    } catch (problem) {
      update({ isFetching: false, error: problem as Error })
    }
  }
  return {
    pages,
    show: (page: Page | undefined) => set({ pages: page && [page], isFetching: false, error: null }),
    list: { hasMore: cursor !== null, isFetching, error, more: () => void more() },
  }
}
