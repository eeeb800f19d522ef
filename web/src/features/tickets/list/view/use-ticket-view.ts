import { useCallback, useMemo } from 'react'
import { useSession } from '../../../../lib/session.tsx'
import { useSearch } from '../../../../lib/use-search.ts'
import { keepColumns, keptColumns } from './kept-columns.ts'
import { changedView, readView, type TicketView, writeView } from './ticket-view.ts'

/**
 * The view that the address holds; changing it replaces the address, so that Back leaves the page and not a filter. Columns that the address does not
 * name are those that the person chose for the project's lists before.
 */
export function useTicketView(idProject: number) {
  const [search, setSearch] = useSearch()
  const { idUser } = useSession()
  const view = useMemo(() => readView(search, keptColumns(idProject, idUser)), [search, idProject, idUser])
  const change = useCallback(
    (patch: Partial<TicketView> | ((view: TicketView) => TicketView)) =>
      setSearch(now => {
        const before = readView(now, keptColumns(idProject, idUser))
        const after = changedView(before, patch)
        if (after.columns !== before.columns) keepColumns(idUser, idProject, after.columns)
        const next = writeView(now, after)
        // Another address, also where the one before named no columns.
        if (before.columns.length > 0 && after.columns.length === 0) next.set('columns', '')
        return next
      }),
    [setSearch, idProject, idUser],
  )
  return [view, change] as const
}

export type ChangeView = ReturnType<typeof useTicketView>[1]
