import { getClientConfig, setUp } from '@tessera/contract/people/session'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { showPages } from '../../../../test/show.tsx'
import { SetUpPage } from './set-up-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a name that is too long and a refusal of the server are shown at the field', async () => {
  const server = fakeServer()
  server.on(getClientConfig, () => ({ setUpNeeded: true, limits: { passwordMinLength: 8 } }) as never)
  const fields = [{ path: 'Password', message: 'This password is known from a leak' }]
  server.on(setUp, () => new Refusal(422, { error: 'Not a good password', code: 'rule', fields }))
  const { user } = showPages([{ path: '/set-up/:token', Component: SetUpPage }], '/set-up/abc')
  const login = await screen.findByLabelText('Login name')
  expect(document.activeElement).toBe(login)
  await user.keyboard('founder')
  await user.type(screen.getByLabelText('Password'), 'password')
  const organization = screen.getByLabelText('Organization')
  await user.click(organization)
  await user.paste('W'.repeat(300))
  await user.click(screen.getByRole('button', { name: 'CREATE' }))
  await screen.findByText(/^At most \d+ characters, 300 now$/)
  expect(server.sentTo(setUp)).toHaveLength(0)
  await user.clear(organization)
  await user.type(organization, 'First Light')
  await user.click(screen.getByRole('button', { name: 'CREATE' }))
  await screen.findByText('This password is known from a leak')
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  expect(screen.queryByText('Not a good password')).toBeNull()
})
