import { confirmEmail } from '@tessera/contract/people/profile'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { showPages } from '../../../test/show.tsx'
import { ConfirmEmailPage } from './confirm-email-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('opening the link sends nothing; CONFIRM sends the token, and a refusal leaves the button', async () => {
  const server = fakeServer()
  server.on(confirmEmail, () => new Refusal(422, { Success: 0, error: 'This link does not work', code: 'rule' }))
  const { user } = showPages([{ path: '/confirm-email/:token', Component: ConfirmEmailPage }], '/confirm-email/7-8.mac')
  const button = await screen.findByRole('button', { name: 'CONFIRM' })
  expect(server.sentTo(confirmEmail)).toEqual([])
  await user.click(button)
  await screen.findByText('This link does not work')
  server.on(confirmEmail, () => ({ Success: 1 }))
  await user.click(screen.getByRole('button', { name: 'CONFIRM' }))
  await screen.findByText('Your email address is confirmed.')
  expect(server.sentTo(confirmEmail).map(({ input }) => input)).toEqual(Array(2).fill({ Token: '7-8.mac' }))
})
