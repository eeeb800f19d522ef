import { authenticate, connstate } from '@tessera/contract/people/session'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { currentSession, enterSession, timeOutSession } from '../../lib/session/session.tsx'
import { ReconnectDialog } from './reconnect-dialog.tsx'
import { SignedInPages } from './signed-in-pages.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('somebody else who signs in gets nothing that the page had read for the person before', async () => {
  const server = fakeServer()
  enterSession(signedIn())
  timeOutSession()
  server.on(authenticate, () => signedIn({ idUser: 8, DisplayName: 'Ada Novak' }))
  const { user, client } = show(<ReconnectDialog />)
  client.setQueryData(['private'], 'of Dana Kim')
  expect(document.getElementById(screen.getByRole('dialog').getAttribute('aria-describedby') ?? '')?.textContent).toMatch(/timed out/)
  await user.type(screen.getByLabelText('Login name'), 'ada')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  await waitFor(() => expect(currentSession()).toMatchObject({ authenticated: true, idUser: 8 }))
  expect(client.getQueryData(['private'])).toBeUndefined()
})

test('a sign-in in another tab continues the session here, for the same person', async () => {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  )
  const server = fakeServer()
  enterSession(signedIn())
  timeOutSession()
  server.on(connstate, () => signedIn())
  show(<SignedInPages>Page</SignedInPages>)
  await screen.findByText('Page')
  window.dispatchEvent(new StorageEvent('storage', { key: 'tessera-seen', newValue: '1' }))
  await waitFor(() => expect(currentSession()).toMatchObject({ authenticated: true, timedOut: false }))
})
