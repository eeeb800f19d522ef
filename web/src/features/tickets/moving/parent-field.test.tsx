import { queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { plainRow } from '../../../../test/ticket.ts'
import { type ParentChoice, ParentField } from './parent-field.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ticket = { ...plainRow, id: 5, pcode: 'OPS' }
function Field() {
  const [value, choose] = useState<ParentChoice | null>(null)
  return <ParentField idProject={1} pcode="OPS" value={value} onChange={choose} hasTop />
}

test('reopening a field with a chosen parent offers all tickets, not only matches of its text', async () => {
  // Frames of the window need its real interval.
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const server = fakeServer()
  server.on(queryTickets, ({ Title }) =>
    Title ? { Tickets: [], NextCursor: null, Total: 0 } : { Tickets: [ticket], NextCursor: null, Total: 1 },
  )
  const { user } = show(<Field />)
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'New parent' })
  await user.click(field)
  await user.click(await screen.findByRole('option', { name: /Crash/ }))
  expect(field.value).toBe('OPS-5 Crash')
  act(() => void vi.advanceTimersByTime(300))
  await user.click(field)
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
  expect(server.sentTo(queryTickets).filter(({ input }) => 'Title' in (input as object))).toEqual([])
})
