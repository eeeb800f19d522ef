import { getViewList } from '@tessera/contract/projects/views'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../../test/fake-server.ts'
import { show } from '../../../../../../test/show.tsx'
import { plainView } from '../ticket-view.ts'
import { ViewSelector } from './view-selector.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the tickets of saved views are counted in the time zone of the browser, as the lists are', async () => {
  const server = fakeServer()
  server.on(getViewList, () => [])
  const { user } = show(<ViewSelector idProject={1} view={plainView} onChange={() => {}} isInPalette={false} />)
  await user.click(await screen.findByRole('button', { name: 'Load View' }))
  const Zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  await waitFor(() => expect(server.sentTo(getViewList).map(({ input }) => input)).toEqual([{ idProject: 1, Counts: 1, Zone }]))
})
