import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { ClashPanel } from './clash-panel.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a clash is announced once, with the name and without the time, which changes', async () => {
  const server = fakeServer()
  const { promise, resolve } = Promise.withResolvers<never>()
  server.on(getTicketHistory, () => promise)
  const nothing = () => undefined
  show(<ClashPanel idTicket={7} field="Title" label="Description" theirs="Crash" onKeepMine={nothing} onTakeTheirs={nothing} />)
  await screen.findByText(/^Somebody else changed Description/)
  expect(screen.queryByRole('alert')).toBeNull()
  const Changes = [{ id: 1, Field: 'Title', Author: 'Ada', DateChanged: Math.floor(Date.now() / 1000) }]
  await act(async () => resolve({ Changes, NextCursor: null } as never))
  expect(screen.getByRole('alert').textContent).toBe('Ada changed Description to:Crash')
  expect(screen.getByText('just now')).toBeDefined()
})
