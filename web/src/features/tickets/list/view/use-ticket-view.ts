import { useCallback, useMemo } from 'react'
import { useSearch } from '../../../../lib/use-search.ts'
import { changedView, readView, type TicketView, writeView } from './ticket-view.ts'

/** The view that the address holds; changing it replaces the address, so that Back leaves the page and not a filter. */
export function useTicketView() {
  const [search, setSearch] = useSearch()
  const view = useMemo(() => readView(search), [search])
  const change = useCallback(
    (patch: Partial<TicketView> | ((view: TicketView) => TicketView)) =>
      setSearch(now => writeView(now, changedView(readView(now), patch))),
    [setSearch],
  )
  return [view, change] as const
}

export type ChangeView = ReturnType<typeof useTicketView>[1]
