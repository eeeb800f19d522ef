import { acceptInvitation, getInvitation } from '@tessera/contract/people/organizations'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { showPages } from '../../../test/show.tsx'
import { InvitationPage } from './invitation-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () => showPages([{ path: '/invitation/:token', Component: InvitationPage }], '/invitation/1-2-3.mac').user

test('names the organization before ACCEPT, and says what comes then', async () => {
  const server = fakeServer()
  server.on(getInvitation, () => ({ Organization: 'Acme', LoginName: 'ann' }))
  server.on(acceptInvitation, () => {
    server.on(getInvitation, () => new Refusal(422, { Success: 0, error: 'This invitation does not work', code: 'rule' }))
    return { Success: 1 }
  })
  const user = open()
  const button = await screen.findByRole('button', { name: 'ACCEPT' })
  expect(document.body.textContent).toContain('ann is invited to the organization Acme.')
  expect(server.sentTo(acceptInvitation)).toEqual([])
  await user.click(button)
  await waitFor(() => expect(server.sentTo(getInvitation)).toHaveLength(2))
  await screen.findByText(/You are a member of Acme now/)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'CONTINUE' }))
  expect(server.sentTo(acceptInvitation).map(({ input }) => input)).toEqual([{ Token: '1-2-3.mac' }])
})

test('a link that does not work says so and offers nothing', async () => {
  const server = fakeServer()
  server.on(getInvitation, () => new Refusal(422, { Success: 0, error: 'This invitation does not work', code: 'rule' }))
  open()
  await screen.findByText('This invitation does not work')
  expect(screen.queryByRole('button', { name: 'ACCEPT' })).toBeNull()
})

test('an invitation that was withdrawn while the page was open offers the sign-in instead of ACCEPT', async () => {
  const server = fakeServer()
  server.on(getInvitation, () => ({ Organization: 'Acme', LoginName: 'ann' }))
  server.on(acceptInvitation, () => new Refusal(422, { Success: 0, error: 'This invitation does not work', code: 'rule' }))
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'ACCEPT' }))
  await screen.findByText('This invitation does not work')
  expect(screen.queryByRole('button', { name: 'ACCEPT' })).toBeNull()
  screen.getByRole('button', { name: 'LOGIN' })
})
