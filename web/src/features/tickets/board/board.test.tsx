import { queryBoard } from '@tessera/contract/tickets/board'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { refetchAfter } from '../../../lib/calls/live/concerned.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { plainView, type TicketView } from '../list/view/ticket-view.ts'
import { Board } from './board.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

// jsdom has no scrolling.
Element.prototype.scrollTo ??= () => undefined

test('the board is read as a whole when the place of a changed ticket cannot be read', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  let Total = 1
  server.on(queryBoard, ({ Tickets }) =>
    Tickets ? new Refusal(500) : { Columns: [{ Value: 1, Label: 'Open', Phase: 1, Total, Tickets: [], NextCursor: null }] },
  )
  const { client } = show(
    <Board idProject={1} view={plainView} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />,
  )
  await screen.findByText('1 ticket on the board')
  Total = 2
  refetchAfter(client, { idProject: 1, idTicket: 7, kind: 'set-ticket-data' })
  await screen.findByText('2 tickets on the board')
  await waitFor(() => expect(server.sentTo(queryBoard)).toHaveLength(3))
})

test('a board that is filtered says how many tickets match; where a ticket may be in several columns, it only counts cards', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const column = { Label: 'Open', Phase: 1, Tickets: [], NextCursor: null } as const
  server.on(queryBoard, () => ({
    Columns: [
      { ...column, Value: 1, Total: 1200 },
      { ...column, Value: 2, Total: 34 },
    ],
  }))
  const showBoard = async (view: Partial<TicketView>, noun = 'tickets') => {
    cleanup()
    show(<Board idProject={1} view={{ ...plainView, ...view }} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />)
    await screen.findByText(`1,234 ${noun} on the board`)
    return screen.queryByText(/matching/)?.textContent
  }
  expect(await showBoard({})).toBeUndefined()
  expect(await showBoard({ title: 'crash' })).toBe('1,234 matching')
  expect(await showBoard({ title: 'crash', group: 'Assignee' }, 'cards')).toBeUndefined()
})

test('the lists of a lane are in a group with its name', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const ticket = (id: number, Lane: number) => ({
    ...{ id, pcode: 'OPS', Title: `Ticket ${id}`, Type: 'Task', State: 'Open', Phase: 1, idParent: Lane, Lane, Labels: [], Blocked: 0 },
    Path: [{ id: Lane, Title: `Hull ${Lane}` }],
  })
  server.on(
    queryBoard,
    () =>
      ({
        Columns: [{ Value: 1, Label: 'Open', Phase: 1, Total: 2, Tickets: [ticket(8, 5), ticket(9, 6)], NextCursor: null }],
        Lanes: [5, 6],
      }) as never,
  )
  show(<Board idProject={1} view={{ ...plainView, lanes: 1 }} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />)
  const lane = await screen.findByRole('group', { name: 'OPS-6 Hull 6' })
  expect(within(within(lane).getByRole('list', { name: 'Open' })).getByRole('link').textContent).toContain('OPS-9')
})
