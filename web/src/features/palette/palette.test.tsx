import { getProjectMembers } from '@tessera/contract/projects/projects'
import { getSearchList } from '@tessera/contract/projects/saved-searches'
import { getViewList } from '@tessera/contract/projects/views'
import { searchTickets } from '@tessera/contract/tickets/search'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { plainSavedView } from '../../../test/saved-view.ts'
import { show } from '../../../test/show.tsx'
import { useActions } from '../../lib/input/actions.ts'
import { enterSession } from '../../lib/session/session.tsx'
import { Palette } from './palette.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('actions registered while the palette is open are offered too', async () => {
  const server = fakeServer()
  server.on(searchTickets, () => ({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 }))
  server.on(getViewList, () => [])
  server.on(getSearchList, () => [])
  server.on(getProjectMembers, () => [])
  const run = vi.fn()
  function Bar() {
    useActions([{ label: 'Change the selected tickets…', run }])
    return null
  }
  let come = (): void => undefined
  function Screen() {
    const [isThere, setThere] = useState(false)
    come = () => setThere(true)
    return (
      <>
        <Palette isOverDialog={false} typed={{ current: '' }} onClose={() => undefined} />
        {isThere && <Bar />}
      </>
    )
  }
  const { user } = show(<Screen />)
  await user.type(await screen.findByRole('combobox'), 'selected')
  expect(screen.queryByRole('option', { name: /Change the selected/ })).toBeNull()
  act(come)
  expect(screen.getByRole('option', { name: 'Change the selected tickets…' }).getAttribute('aria-selected')).toBe('true')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(run).toHaveBeenCalledOnce())
})

test('a search that fails can be tried again; a saved view is opened as itself', async () => {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'TIM', Title: 'Titanium' }] }))
  const server = fakeServer()
  server.on(searchTickets, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  server.on(getProjectMembers, () => [])
  server.on(getSearchList, () => [])
  server.on(getViewList, () => [{ ...plainSavedView, idView: 7, Name: 'Late boats' }])
  const { user } = show(<Palette isOverDialog={false} typed={{ current: '' }} onClose={() => undefined} />)
  await user.type(await screen.findByRole('combobox'), 'late')
  await screen.findByText('Busy')
  // A day is that of the person, as it is on the page of the search.
  const Zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  expect(server.sentTo(searchTickets)[0]?.input).toMatchObject({ Query: 'late', Zone })
  server.on(searchTickets, () => ({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 }))
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await waitFor(() => expect(screen.queryByText('Busy')).toBeNull())
  await user.click(await screen.findByRole('option', { name: /Late boats/ }))
  await waitFor(() => expect(window.location.search).toBe('?q=boat&layout=list&view=7'))
})

test('a saved search is opened by its query, also by somebody who is in no project', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(searchTickets, () => ({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 }))
  server.on(getSearchList, () => [{ idSearch: 4, Name: 'Late ships', Query: 'ship', Scope: 'organization', Mine: 0 }])
  const { user } = show(<Palette isOverDialog={false} typed={{ current: '' }} onClose={() => undefined} />)
  await user.type(await screen.findByRole('combobox'), 'late')
  await user.click(await screen.findByRole('option', { name: 'Late ships' }))
  await waitFor(() => expect([window.location.pathname, window.location.search]).toEqual(['/search', '?q=ship']))
})
