import { authenticate, getClientConfig } from '@tessera/contract/people/session'
import { cleanup, screen, waitFor } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { currentSession, leaveSession } from '../../../lib/session/session.tsx'
import { LoginPage } from './login-page.tsx'

beforeEach(leaveSession)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () => showPages([{ path: '/login', Component: LoginPage }], '/login')

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText('Login name'), ' dana ')
  await user.type(screen.getByLabelText('Password'), 'secret')
  await user.click(screen.getByRole('button', { name: 'LOGIN' }))
}
const project = { id: 5, shortcode: 'TI', Title: 'Titanium' }

test('leads to the only project, with the login trimmed and the password as typed [2.7]', async () => {
  const server = fakeServer()
  server.on(authenticate, () => signedIn({ projects: [project] }))
  const { user, client } = show()
  client.setQueryData(['private'], 'of somebody else')
  await fill(user)
  await waitFor(() => expect(window.location.pathname).toBe('/view-project/5'))
  expect(client.getQueryData(['private'])).toBeUndefined()
  expect(server.sentTo(authenticate)[0]?.input).toEqual({ user: 'dana', pass: 'secret' })
  expect(currentSession()).toMatchObject({ authenticated: true, idActiveProject: 5, displayName: 'Dana Kim' })
})

test.each([[[]], [[project, { ...project, id: 6 }]]])('leads home without projects or with several [2.8]', async projects => {
  fakeServer().on(authenticate, () => signedIn({ projects }))
  const { user } = show()
  await fill(user)
  await waitFor(() => expect(window.location.pathname).toBe('/home'))
})

test('asks for the organization and sends it along [1.2] [2.13] [4.2]', async () => {
  const server = fakeServer()
  const orglist = [
    { id: 3, name: 'One' },
    { id: 4, name: 'Two' },
  ]
  server.on(authenticate, ({ orgid }) => (orgid ? signedIn({ orgid }) : { auth: 0, orglist }))
  const { user } = show()
  expect(document.activeElement).toBe(screen.getByLabelText('Login name'))
  await fill(user)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Select organization')))
  // Going back keeps what was typed.
  await user.click(screen.getByRole('button', { name: 'BACK' }))
  expect(screen.queryByLabelText('Select organization')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Login name'))
  await user.click(screen.getByRole('button', { name: 'LOGIN' }))
  await user.click(await screen.findByLabelText('Select organization'))
  expect(screen.queryByRole('button', { name: 'LOGIN' })).toBeNull()
  await user.click(screen.getByRole('option', { name: 'Two' }))
  await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
  await waitFor(() => expect(window.location.pathname).toBe('/home'))
  expect(server.sentTo(authenticate).at(-1)?.input).toEqual({ user: 'dana', pass: 'secret', orgid: 4 })
  expect(currentSession().organizations).toEqual([])
})

test('says what went wrong, and selects the password to type it again [8.1] [8.2]', async () => {
  const server = fakeServer()
  server.on(authenticate, () => ({ auth: 0 }))
  const { user } = show()
  await fill(user)
  expect((await screen.findByRole('alert')).textContent).toBe('Login failed, check your credentials and try again')
  const password = screen.getByLabelText<HTMLInputElement>('Password')
  await waitFor(() => expect(document.activeElement).toBe(password))
  expect([password.value, password.selectionStart, password.selectionEnd]).toEqual(['secret', 0, 6])

  server.on(authenticate, () => new Refusal(503))
  await user.keyboard('another{Enter}')
  await screen.findByText('Login failed, server problem detected')
  expect(server.sentTo(authenticate).at(-1)?.input).toEqual({ user: 'dana', pass: 'another' })

  server.on(authenticate, () => new Refusal(429, {}, { 'retry-after': '30' }))
  await user.keyboard('{Enter}')
  await screen.findByText('Login failed, server problem detected Too many attempts, try again in 30 seconds.')
  expect(window.location.pathname).toBe('/login')
})

test('sends nothing while a field is empty; says where the set-up address is while nobody can sign in', async () => {
  const server = fakeServer()
  server.on(getClientConfig, () => ({ setUpNeeded: true }) as never)
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'LOGIN' }))
  await screen.findByText('Enter your login name')
  expect(server.sentTo(authenticate)).toEqual([])
  await screen.findByText(/Open the set-up address/)
  expect(document.activeElement).toBe(screen.getByLabelText('Login name'))
  expect(screen.getByRole('link', { name: 'Forgot password' }).getAttribute('href')).toBe('/reset-password')
})
