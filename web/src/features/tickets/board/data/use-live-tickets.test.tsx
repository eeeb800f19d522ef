import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { queryBoard } from '@tessera/contract/tickets/board'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { refetchAfter } from '../../../../lib/calls/live/refetch-after.ts'
import { enterSession } from '../../../../lib/session/session.tsx'
import { boardQuery } from './board-data.ts'
import type { BoardRequest } from './board-request.ts'
import { useLiveTickets } from './use-live-tickets.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Reads a board of blocked tickets. `changed` tells it of a change of ticket 1; `asked` is which tickets each request asks for, null for the whole board. */
async function readBlocked(count: number, part: Partial<BoardRequest> = {}) {
  enterSession(signedIn())
  const server = fakeServer()
  const all = Array.from({ length: count }, (_, index) => index + 1)
  const card = (id: number) => ({ id, Blocked: 1 })
  server.on(
    queryBoard,
    ({ Tickets = all }) =>
      ({ Columns: [{ Value: 1, Label: 'Open', Total: count, Tickets: Tickets.map(card), NextCursor: null }] }) as never,
  )
  const client = new QueryClient()
  const wrapper = ({ children }: PropsWithChildren) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const input: BoardRequest = { idProject: 1, Group: 'State', ...part }
  const { result } = renderHook(
    () => {
      useLiveTickets(1, input)
      return useQuery(boardQuery(input)).isSuccess
    },
    { wrapper },
  )
  await waitFor(() => expect(result.current).toBe(true))
  const asked = () => server.sentTo(queryBoard).map(({ input: sent }) => (sent as { Tickets?: number[] }).Tickets ?? null)
  const changed = (kind: string) => act(async () => refetchAfter(client, { idProject: 1, idTicket: 1, kind }))
  return { asked, changed }
}

test('a board is read as a whole when a change concerns more cards than it asks for one by one', async () => {
  const few = await readBlocked(200)
  await few.changed('set-ticket-data')
  await waitFor(() => expect(few.asked()).toHaveLength(2))
  expect(few.asked()[1]).toHaveLength(200)
  cleanup()
  const many = await readBlocked(201)
  await many.changed('set-ticket-data')
  await waitFor(() => expect(many.asked()).toEqual([null, null]))
})

test('a board whose query depends on other tickets is read as a whole, and once, when one changes; after a comment it asks for that ticket', async () => {
  const { asked, changed } = await readBlocked(2, { Query: 'is:blocked' })
  await changed('set-ticket-data')
  await waitFor(() => expect(asked()).toEqual([null, null]))
  await changed('set-ticket-comment')
  await waitFor(() => expect(asked()).toEqual([null, null, [1, 2]]))
})
