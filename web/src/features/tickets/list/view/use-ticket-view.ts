import { useQuery } from '@tanstack/react-query'
import { getViewList } from '@tessera/contract/projects/views'
import { useCallback, useEffect, useMemo } from 'react'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { useSearch } from '../../../../lib/navigation/use-search.ts'
import { useSession } from '../../../../lib/session/session.tsx'
import { viewOfSaved } from '../saved-views/saved-view.ts'
import { keepColumns, keepDefault, keptColumns, keptDefault } from './kept-columns.ts'
import { namesView, readView, type TicketView, writeView } from './ticket-view.ts'
import { changedView } from './view-changes.ts'

/**
 * The view in the address; changing it replaces the address, so that Back leaves the page instead of undoing a filter. If the address names no columns,
 * the person's stored columns for the project's lists are used. An address without any part of a view means the default view, if the list `hasDefault`.
 */
export function useTicketView(idProject: number, hasDefault: boolean) {
  const [search, setSearch] = useSearch()
  const { idUser } = useSession()
  const read = useCallback(
    (now: URLSearchParams) => {
      const kept = hasDefault && !namesView(now) ? keptDefault(idProject, idUser) : ''
      return readView(kept ? new URLSearchParams(kept) : now, keptColumns(idProject, idUser))
    },
    [idProject, idUser, hasDefault],
  )
  const view = useMemo(() => read(search), [search, read])
  const change = useCallback(
    (patch: Partial<TicketView> | ((view: TicketView) => TicketView)) =>
      setSearch(now => {
        const before = read(now)
        const after = changedView(before, patch)
        if (after.columns !== before.columns && after.saved === before.saved) keepColumns(idUser, idProject, after.columns)
        const next = writeView(now, after)
        // The address must change, even if the columns came from storage and the previous address named none.
        if (before.columns.length > 0 && after.columns.length === 0) next.set('columns', '')
        // Explicitly no view, which is different from the default view.
        if (hasDefault && !namesView(next) && keptDefault(idProject, idUser)) next.set('view', '0')
        return next
      }),
    [setSearch, read, hasDefault, idProject, idUser],
  )
  useDefaultView(idProject, hasDefault)
  return [view, change] as const
}

export type ChangeView = ReturnType<typeof useTicketView>[1]

/** Starts with the default view, and writes it into the address. */
function useDefaultView(idProject: number, isOn: boolean) {
  const [search, setSearch] = useSearch()
  const { idUser } = useSession()
  const { data } = useQuery({ ...callQuery(getViewList, { idProject }), enabled: isOn, staleTime: seldomStale })
  const first = data?.find(({ Default }) => Default === 1)
  const known = first && writeView(new URLSearchParams(), viewOfSaved(first)).toString()
  const isUnsaid = isOn && !namesView(search)
  useEffect(() => {
    if (!isOn || !data) return
    keepDefault(idUser, idProject, known ?? '')
    if (known && isUnsaid) setSearch(now => new URLSearchParams([...now, ...new URLSearchParams(known)]))
  }, [isOn, data, known, isUnsaid, idUser, idProject, setSearch])
}
