import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { getViewList } from '@tessera/contract/projects/views'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { createElement, type PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { plainSavedView } from '../../../../../test/saved-view.ts'
import { enableShortcuts } from '../../../../lib/input/keys/shortcuts-enabled.ts'
import { navigate, startNavigation } from '../../../../lib/navigation/navigation.ts'
import { currentSession, enterSession } from '../../../../lib/session/session.tsx'
import { rememberWayBack } from '../../../../lib/session/way-back.ts'
import { keepBoard } from '../../board/data/kept-board.ts'
import { firstView } from './first-view.ts'
import { keepColumns, keepDefault, keptColumns, keptDefault } from './kept-columns.ts'
import { useTicketView } from './use-ticket-view.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

test('view settings are stored in the browser; a full storage is no error', () => {
  keepColumns(7, 1, ['Created', 'size'])
  expect(keptColumns(1, 7)).toEqual(['Created', 'size'])
  keepColumns(7, 1, [])
  expect(localStorage).toHaveLength(0)
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  keepColumns(7, 1, ['Created'])
  keepDefault(7, 1, '?mine=1')
  keepBoard(7, 1, 'State', { lanesBy: 1, columns: new Set(), lanes: new Set(), whole: new Set() })
  enableShortcuts(false)
  rememberWayBack('/view-ticket/7')
  expect(full).toHaveBeenCalledTimes(5)
  expect(keptColumns(1, 7)).toEqual([])
})

test('before it is known who is signed in the kept default view is shown, unless the address names another', () => {
  keepDefault(7, 1, '?mine=1')
  const shown = (search: string, idProject: number) => {
    const { mine, phases } = firstView(search, idProject)
    return { mine, phases }
  }
  expect([shown('', 1), shown('?phase=2', 1), shown('?phase=2', 2)]).toEqual([
    { mine: true, phases: [] },
    { mine: false, phases: [2] },
    { mine: false, phases: [2] },
  ])
})

test('without filters the default view does not come back, and the columns of a saved view are not kept for other lists', async () => {
  fakeServer()
  enterSession(signedIn())
  const { idUser } = currentSession()
  keepDefault(idUser, 1, '?mine=1')
  window.history.replaceState(null, '', '/view-project/1')
  await startNavigation([{ path: '*', Component: () => null }])
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client: new QueryClient() }, children)
  const { result } = renderHook(() => useTicketView(1, true), { wrapper })
  expect(result.current[0].mine).toBe(true)
  act(() => result.current[1]({ mine: false }))
  await waitFor(() => expect(window.location.search).toBe('?view=0'))
  expect(result.current[0].mine).toBe(false)
  act(() => result.current[1]({ columns: ['Created'] }))
  await waitFor(() => expect(keptColumns(1, idUser)).toEqual(['Created']))
  act(() => result.current[1]({ columns: ['Created', 'size'], saved: 4 }))
  await waitFor(() => expect(window.location.search).toContain('view=4'))
  expect(keptColumns(1, idUser)).toEqual(['Created'])
})

test('a list begins with the default view, which is kept for the next time until there is none', async () => {
  const server = fakeServer()
  enterSession(signedIn())
  const { idUser } = currentSession()
  const own = { ...plainSavedView, idView: 4 }
  let views = [{ ...own, Default: 1 as 0 | 1 }]
  server.on(getViewList, () => views)
  window.history.replaceState(null, '', '/view-project/1?sort=ID.asc')
  await startNavigation([{ path: '*', Component: () => null }])
  const client = new QueryClient()
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  renderHook(() => useTicketView(1, true), { wrapper })
  await waitFor(() => expect(keptDefault(1, idUser)).toBe('q=boat&layout=list&view=4'))
  // This address has a view of its own.
  expect(window.location.search).toBe('?sort=ID.asc')
  act(() => void navigate('/view-project/1'))
  await waitFor(() => expect(window.location.search).toBe('?q=boat&layout=list&view=4'))
  views = [{ ...own, Default: 0 }]
  await act(() => client.invalidateQueries())
  await waitFor(() => expect(keptDefault(1, idUser)).toBe(''))
})
