import { type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { TicketList } from './ticket-list.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a filter of child tickets that is emptied keeps the focus while the tickets are read; without any the columns go', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const none = { Tickets: [], NextCursor: null, Total: 0 } as const
  const all = Promise.withResolvers<typeof none>()
  server.on(queryTickets, ({ Title }) => (Title ? none : all.promise))
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
  const { user } = showPages([{ path: '/', Component: Page }], '/?title=hull')
  await user.clear(await screen.findByLabelText('Filter Description'))
  await waitFor(() => expect(server.sentTo(queryTickets)).toHaveLength(2))
  expect(document.activeElement).toBe(screen.getByLabelText('Filter Description'))
  all.resolve(none)
  await waitFor(() => expect(screen.queryByLabelText('Filter Description')).toBeNull())
  screen.getByText('No child tickets')
})

test('a ticket that leaves the list leaves the focus to the next one', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const ticket = (id: number): QueriedTicket => ({
    id,
    pcode: 'OPS',
    Type: 'Bug',
    Phase: 1,
    State: 'Open',
    Title: `Ticket ${id}`,
    UserAssigned: 0,
    SubordinateProposedCount: 0,
    SubordinateActiveCount: 0,
    SubordinateInactiveCount: 0,
    idParent: 5,
    Labels: [],
    Blocked: 0,
  })
  let ids = [3, 2, 1]
  server.on(queryTickets, () => ({ Tickets: ids.map(ticket), NextCursor: null, Total: ids.length }))
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
  const { client } = showPages([{ path: '/', Component: Page }], '/')
  const row = async (id: number) => (await screen.findByText(`OPS-${id}`)).closest('tr')
  const second = await row(2)
  act(() => second?.focus())
  ids = [3, 1]
  await act(() => client.invalidateQueries())
  await waitFor(() => expect(screen.queryByText('OPS-2')).toBeNull())
  const next = await row(1)
  await waitFor(() => expect(document.activeElement).toBe(next))
})
