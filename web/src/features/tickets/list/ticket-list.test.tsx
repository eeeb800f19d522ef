import { queryTickets } from '@tessera/contract/tickets/tickets'
import { cleanup, screen, waitFor } from '@testing-library/react'
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
