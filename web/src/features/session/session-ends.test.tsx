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

/** jsdom has no streams. */
function withoutStream() {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  )
}

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

test('what the page had read before is read again once the same person has signed in', async () => {
  const server = fakeServer()
  enterSession(signedIn())
  timeOutSession()
  server.on(authenticate, () => signedIn())
  const { user, client } = show(<ReconnectDialog />)
  client.setQueryData(['private'], 'of Dana Kim')
  await user.type(screen.getByLabelText('Login name'), 'dana')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  await waitFor(() => expect(currentSession()).toMatchObject({ authenticated: true, idUser: 7 }))
  expect(client.getQueryState(['private'])).toMatchObject({ data: 'of Dana Kim', isInvalidated: true })
})

test('a sign-in in another tab continues the session here, for the same person', async () => {
  withoutStream()
  const server = fakeServer()
  enterSession(signedIn())
  timeOutSession()
  server.on(connstate, () => signedIn())
  show(<SignedInPages>Page</SignedInPages>)
  await screen.findByText('Page')
  // A page whose session is over does not extend it.
  expect(localStorage.getItem('tessera-seen')).toBeNull()
  window.dispatchEvent(new StorageEvent('storage', { key: 'tessera-seen', newValue: '1' }))
  await waitFor(() => expect(currentSession()).toMatchObject({ authenticated: true, timedOut: false }))
})

test.each([
  { what: 'is over', answer: { auth: 0 as const }, state: { timedOut: true, identityChanged: false } },
  { what: 'is somebody else’s', answer: signedIn({ idUser: 8 }), state: { timedOut: false, identityChanged: true } },
  { what: 'is in another organization', answer: signedIn({ orgid: 4 }), state: { timedOut: false, identityChanged: true } },
])('a page learns that the session of this browser $what', async ({ answer, state }) => {
  withoutStream()
  const server = fakeServer()
  enterSession(signedIn())
  server.on(connstate, () => answer)
  show(<SignedInPages>Page</SignedInPages>)
  await waitFor(() => expect(currentSession()).toMatchObject(state))
})
