import { use, useCallback, useMemo, useSyncExternalStore } from 'react'
import { UNSAFE_DataRouterContext as DataRouter, useLocation, useNavigate } from 'react-router'

/**
 * The search part of the page's address as it is now, and a way to replace it. React Router renders a new address later, and its `useSearchParams` is based on the rendered one: of two quick changes, the second would
 * undo the first.
 */
export function useSearch() {
  const router = use(DataRouter)?.router
  if (!router) throw new Error('useSearch needs a data router')
  const { pathname, search: rendered } = useLocation()
  const navigate = useNavigate()
  // While the router navigates to another page, this one is unchanged.
  const text = useSyncExternalStore(
    useCallback(told => router.subscribe(told), [router]),
    () => (router.state.location.pathname === pathname ? router.state.location.search : rendered),
  )
  const search = useMemo(() => new URLSearchParams(text), [text])
  const change = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams) => {
      const { location, navigation } = router.state
      const newest = navigation.location ?? location
      // A navigation to another page is in progress.
      if (newest.pathname !== pathname) return
      void navigate(`?${next(new URLSearchParams(newest.search))}`, { replace: true, preventScrollReset: true })
    },
    [router, pathname, navigate],
  )
  return [search, change] as const
}
