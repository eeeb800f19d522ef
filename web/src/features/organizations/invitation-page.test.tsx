import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { acceptInvitation, getInvitation } from '@tessera/contract/organizations'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { InvitationPage } from './invitation-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open() {
  const router = createMemoryRouter([{ path: '/invitation/:token', Component: InvitationPage }], {
    initialEntries: ['/invitation/1-2-3.mac'],
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

test('names the organization before ACCEPT, and says what comes then', async () => {
  const server = fakeServer()
  server.on(getInvitation, () => ({ Organization: 'Acme', LoginName: 'ann' }))
  server.on(acceptInvitation, () => ({ Success: 1 }))
  const user = open()
  const button = await screen.findByRole('button', { name: 'ACCEPT' })
  expect(document.body.textContent).toContain('ann is invited to the organization Acme.')
  expect(server.sentTo(acceptInvitation)).toEqual([])
  await user.click(button)
  await screen.findByText(/You are a member of Acme now/)
  expect(server.sentTo(acceptInvitation).map(({ input }) => input)).toEqual([{ Token: '1-2-3.mac' }])
})

test('a link that does not work says so and offers nothing', async () => {
  const server = fakeServer()
  server.on(getInvitation, () => new Refusal(422, { Success: 0, error: 'This invitation does not work', code: 'rule' }))
  open()
  await screen.findByText('This invitation does not work')
  expect(screen.queryByRole('button', { name: 'ACCEPT' })).toBeNull()
})
