import { useQuery } from '@tanstack/react-query'
import { getViewList } from '@tessera/contract/views'
import { useCallback, useEffect, useMemo } from 'react'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useSearch } from '../../../../lib/navigation/use-search.ts'
import { useSession } from '../../../../lib/session/session.tsx'
import { viewOfSaved } from '../saved-views/saved-view.ts'
import { keepColumns, keepDefault, keptColumns, keptDefault } from './kept-columns.ts'
import { changedView, namesView, readView, type TicketView, writeView } from './ticket-view.ts'

/**
 * The view that the address holds; changing it replaces the address, so that Back leaves the page and not a filter. Columns that the address does not
 * name are those that the person chose for the project's lists before. An address that says nothing of the view means the default view, where the list
 * `hasDefault`.
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
        // Another address, also where the one before named no columns.
        if (before.columns.length > 0 && after.columns.length === 0) next.set('columns', '')
        // Nothing is another view than the default.
        if (hasDefault && !namesView(next) && keptDefault(idProject, idUser)) next.set('view', '0')
        return next
      }),
    [setSearch, read, hasDefault, idProject, idUser],
  )
  useDefaultView(idProject, hasDefault)
  return [view, change] as const
}

export type ChangeView = ReturnType<typeof useTicketView>[1]

/** Begins with the default view, and writes it into the address. */
function useDefaultView(idProject: number, isOn: boolean) {
  const [search, setSearch] = useSearch()
  const { idUser } = useSession()
  const { data } = useQuery({ ...callQuery(getViewList, { idProject }), enabled: isOn, staleTime: 60_000 })
  const first = data?.find(({ Default }) => Default === 1)
  const known = first && writeView(new URLSearchParams(), viewOfSaved(first)).toString()
  const isUnsaid = isOn && !namesView(search)
  useEffect(() => {
    if (!isOn || !data) return
    keepDefault(idUser, idProject, known ?? '')
    if (known && isUnsaid) setSearch(now => new URLSearchParams([...now, ...new URLSearchParams(known)]))
  }, [isOn, data, known, isUnsaid, idUser, idProject, setSearch])
}
