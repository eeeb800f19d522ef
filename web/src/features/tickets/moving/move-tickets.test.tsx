import { QueryClient } from '@tanstack/react-query'
import { moveTickets as call } from '@tessera/contract/tickets/moving'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { moveTickets } from './move-tickets.ts'

test('tickets are moved together, UNDO puts each back under its parent, and lists are read again after both', async () => {
  const server = fakeServer()
  const before = [
    { idTicket: 4, idParent: 2 },
    { idTicket: 5, idParent: null },
  ]
  server.on(call, () => ({ Success: 1, Before: before }))
  const queries = new QueryClient()
  const isStale = () => queries.getQueryState(['list'])?.isInvalidated
  render(<Toaster />)
  queries.setQueryData(['list'], [])
  await moveTickets(queries, { idProject: 1, pcode: 'OPS', tickets: [4, 5, 6], idParent: 3 })
  expect(isStale()).toBe(true)
  queries.setQueryData(['list'], [])
  await userEvent.setup().click(await screen.findByRole('button', { name: 'UNDO' }))
  await screen.findByText('2 tickets moved back')
  expect(isStale()).toBe(true)
  await waitFor(() =>
    expect(server.sentTo(call).map(({ input }) => input)).toEqual([
      { idProject: 1, Moves: [4, 5, 6].map(idTicket => ({ idTicket, idParent: 3 })) },
      { idProject: 1, Moves: before },
    ]),
  )
})
