import { useCallback, useMemo } from 'react'
import { currentPage, isLoadingPage, navigate } from './navigation.ts'
import { useLocation } from './use-navigation.ts'

/** The search part of the page's address, and a way to replace it. */
export function useSearch() {
  const { pathname, search: text } = useLocation()
  const search = useMemo(() => new URLSearchParams(text), [text])
  const change = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams) => {
      // Too late: it would change the address of another page.
      if (isLoadingPage() || currentPage().location.pathname !== pathname) return
      const now = new URLSearchParams(currentPage().location.search)
      void navigate(`?${next(now)}`, { replace: true, keepsScroll: true })
    },
    [pathname],
  )
  return [search, change] as const
}

/** The search with these parameters; one whose value is '' is left out. */
export function withParameters(search: URLSearchParams, values: Readonly<Record<string, string>>) {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}
