import { allPermissions } from '@tessera/contract/permissions'
import { getProjectData, getProjectRoles } from '@tessera/contract/projects/projects'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { plainTicket } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { refetchAfter } from '../../../lib/calls/live/refetch-after.ts'
import { tellWatchers } from '../../../lib/calls/live/watch-tickets.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { plainView, type TicketView } from '../list/view/ticket-view.ts'
import { toggleSelected } from '../selection/selection.ts'
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

test('what changes while the board is read is read again, without extending the session', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const answer = (Total: number) => ({ Columns: [{ Value: 1, Label: 'Open', Phase: 1, Total, Tickets: [], NextCursor: null }] }) as const
  server.on(queryBoard, () => answer(1))
  const { client } = show(
    <Board idProject={1} view={plainView} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />,
  )
  await screen.findByText('1 ticket on the board')
  const old = Promise.withResolvers<ReturnType<typeof answer>>()
  server.on(queryBoard, () => old.promise)
  const read = client.invalidateQueries()
  await waitFor(() => expect(server.sentTo(queryBoard)).toHaveLength(2))
  server.on(queryBoard, () => answer(2))
  act(() => tellWatchers([{ idProject: 1, idTicket: 7, kind: 'set-ticket-data' }]))
  old.resolve(answer(1))
  await act(() => read)
  await screen.findByText('2 tickets on the board')
  expect(server.sentTo(queryBoard).at(-1)?.headers.get('x-background')).toBe('1')
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

function boardOf(...ids: number[]) {
  const card = (id: number) => ({ id, pcode: 'OPS', Title: `Ticket ${id}`, Type: 'Task', State: 'Open', Phase: 1, Labels: [], Blocked: 0 })
  const column = { Label: 'Open', Phase: 1, NextCursor: null }
  return {
    Columns: [
      { ...column, Value: 1, Total: 2, Tickets: ids.map(card) },
      { ...column, Value: 2, Label: 'Done', Total: 0, Tickets: [] },
    ],
  } as never
}

test('the head of a lane follows the title of its parent, which is not on the board', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const lane = (Title: string) => {
    const card = { id: 8, pcode: 'OPS', Title: 'Sail', Type: 'Task', State: 'Open', Phase: 1, Labels: [], Blocked: 0 }
    const Tickets = [{ ...card, Lane: 5, Path: [{ id: 5, Title }], After: null, AfterLane: 5 }]
    return { Columns: [{ Value: 1, Label: 'Open', Phase: 1, Total: 1, Tickets, NextCursor: null }], Lanes: [5] } as never
  }
  server.on(queryBoard, () => lane('Boat'))
  show(<Board idProject={1} view={{ ...plainView, lanes: 1 }} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />)
  await screen.findByText('Boat')
  server.on(queryBoard, ({ Tickets }) => lane(Tickets?.includes(8) ? 'Ship' : 'Boat'))
  act(() => tellWatchers([{ idProject: 1, idTicket: 5, kind: 'set-ticket-data' }]))
  await screen.findByText('Ship')
})

test('without dragging, a card is moved by its menu, and has the focus then', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(queryBoard, ({ Tickets = [8, 9] }) => boardOf(...Tickets))
  server.on(getProjectData, () => ({ Archived: 0, BlockersHold: 0 }) as never)
  server.on(getTicketData, ({ idTicket }) => ({ ...plainTicket, idTicket, Version: 4, Permissions: [1, 3, 4] }))
  server.on(moveOnBoard, () => ({ Success: 1, Version: 5 }))
  const { user } = show(<Board idProject={1} view={plainView} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />)
  const openMenu = async () => user.click(await screen.findByRole('button', { name: 'Move OPS-9' }))
  await openMenu()
  const card = screen.getByText('OPS-9').closest('a')
  const words = document.getElementById(card?.getAttribute('aria-describedby') ?? '')
  expect(words?.textContent).toContain('or open the menu of the Move button')
  const choices = screen.getAllByRole('menuitem').map(item => [item.textContent, item.ariaDisabled === 'true'])
  expect(choices).toEqual([
    ['Move to the top', false],
    ['Move up', false],
    ['Move down', true],
    ['Move to the end', true],
    ['Move to Done', false],
  ])
  await user.click(screen.getByRole('menuitem', { name: 'Move up' }))
  await waitFor(() => expect(server.sentTo(moveOnBoard).map(({ input }) => input)).toEqual([{ idTicket: 9, After: null, Version: 4 }]))
  expect(document.activeElement?.closest('a')?.textContent).toContain('OPS-9')
})

test('a card that its menu moves says where it is; from a folded column the focus goes on to the next card', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(queryBoard, ({ Tickets = [8, 9] }) => boardOf(...Tickets))
  server.on(getProjectData, () => ({ Archived: 0, BlockersHold: 0 }) as never)
  server.on(getTicketData, ({ idTicket }) => ({
    ...plainTicket,
    idTicket,
    Version: 4,
    OutputStates: [{ id: 2, Description: 'Done' }],
    Permissions: [1, 3, 4],
  }))
  server.on(moveOnBoard, () => ({ Success: 1, Version: 5 }))
  const { user } = show(<Board idProject={1} view={plainView} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />)
  await user.click(await screen.findByTitle('Fold Done'))
  await user.click(screen.getByRole('button', { name: 'Move OPS-8' }))
  await user.click(screen.getByRole('menuitem', { name: 'Move to Done' }))
  await screen.findByText('OPS-8: Done, position 1 of 1.')
  await waitFor(() => expect(document.activeElement?.closest('a')?.textContent).toContain('OPS-9'))
  // Nothing waits for the focus in the folded column.
  await waitFor(() => expect(server.sentTo(moveOnBoard)).toHaveLength(1))
  const unfold = screen.getByTitle('Unfold Done')
  await user.click(unfold)
  expect(document.activeElement).toBe(unfold)
})

test('a move by the menu that the question of the role ends says that the card is back', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const card = { id: 8, pcode: 'OPS', Title: 'Ticket 8', Type: 'Task', State: 'Open', Phase: 1, Labels: [], Blocked: 0 }
  server.on(
    queryBoard,
    () =>
      ({
        Columns: [
          { Value: '', Label: '', Total: 1, Tickets: [card], NextCursor: null },
          { Value: 2, Label: 'Ben Ruiz', Total: 0, Tickets: [], NextCursor: null },
        ],
      }) as never,
  )
  server.on(getProjectData, () => ({ Archived: 0, BlockersHold: 0 }) as never)
  server.on(getTicketData, ({ idTicket }) => ({ ...plainTicket, idTicket, Permissions: allPermissions }))
  server.on(
    getProjectRoles,
    () =>
      [
        { id: 1, Description: 'Responsible' },
        { id: 2, Description: 'Reviewer' },
      ] as never,
  )
  const view: TicketView = { ...plainView, layout: 'board', group: 'Assignee' }
  const { user } = show(<Board idProject={1} view={view} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />)
  await user.click(await screen.findByRole('button', { name: 'Move OPS-8' }))
  await user.click(screen.getByRole('menuitem', { name: 'Move to Ben Ruiz' }))
  await user.click(await screen.findByRole('button', { name: 'CANCEL' }))
  await screen.findByText('OPS-8 is back where it was.')
  await waitFor(() => expect(document.activeElement?.closest('a')?.textContent).toContain('OPS-8'))
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
  expect(screen.queryByText(/^There are more lanes/)).toBeNull()
  expect(within(within(lane).getByRole('list', { name: 'Open' })).getByRole('link').textContent).toContain('OPS-9')
})

/** A board with lanes by parent: the tickets of lane 5 and, on the next page of the column, one of lane 6. */
function showLanes(ids: readonly number[], next?: number, problem?: Refusal) {
  enterSession(signedIn())
  const server = fakeServer()
  const ticket = (id: number) => ({
    ...{ id, pcode: 'OPS', Title: `Ticket ${id}`, Type: 'Task', State: 'Open', Phase: 1, Labels: [], Blocked: 0 },
    Lane: id === next ? 6 : 5,
    Path: [{ id: 5, Title: 'Hull' }],
  })
  const column = { Value: 1, Label: 'Open', Phase: 1, Total: ids.length }
  const answer = (Tickets: object[], NextCursor: string | null = null) =>
    ({ Columns: [{ ...column, Tickets, NextCursor }], Lanes: [5, 6] }) as never
  server.on(queryBoard, ({ Cursor, Tickets }) => {
    // A ticket that is read again was moved: the first one to the end, any other to the top.
    if (Tickets) return answer(Tickets.map(id => ({ ...ticket(id), After: id === ids[0] ? ids.at(-1) : null, AfterLane: 5 })))
    if (Cursor && problem) return problem
    return Cursor && next ? answer([ticket(next)]) : answer(ids.map(ticket), next ? 'next' : null)
  })
  server.on(getProjectData, () => ({ Archived: 0, BlockersHold: 0 }) as never)
  server.on(getTicketData, ({ idTicket }) => ({ ...plainTicket, idTicket, Version: 4, Permissions: [1, 3, 4] }))
  server.on(moveOnBoard, () => ({ Success: 1, Version: 5 }))
  return show(
    <>
      <Board idProject={1} view={{ ...plainView, lanes: 1 }} label="Tickets" onChange={() => {}} onError={() => {}} empty="No tickets" />
      <Toaster />
    </>,
  )
}
const thirty = Array.from({ length: 30 }, (_, index) => 101 + index)

test('the last card that a large lane shows keeps the focus when somebody else moves a card above it', async () => {
  const { client, user } = showLanes(thirty)
  const first = await screen.findByRole('link', { name: /OPS-101/ })
  first.focus()
  await user.keyboard('{End}')
  const focused = () => document.activeElement?.getAttribute('data-card')
  expect(focused()).toBe('110 5 1')
  refetchAfter(client, { idProject: 1, idTicket: 130, kind: 'set-ticket-data' })
  await screen.findByRole('link', { name: /OPS-130/ })
  expect(focused()).toBe('110 5 1')
  // The keys say how many cards there are, not only those that are shown.
  await user.keyboard(' ')
  await screen.findByText(/position 11 of 30/)
})

test('a large lane that is shown to its end because a card was moved there shows fewer cards again', async () => {
  const { user } = showLanes(thirty)
  await user.click(await screen.findByRole('button', { name: 'Move OPS-101' }))
  await user.click(screen.getByRole('menuitem', { name: 'Move to the end' }))
  await user.click(await screen.findByText('Show fewer'))
  await screen.findByText('20 more')
})

test('the focus is on a card when MORE LANES has nothing more to load', async () => {
  const { user } = showLanes(
    Array.from({ length: 2000 }, (_, index) => 101 + index),
    9000,
  )
  // On paper.
  await screen.findByText('There are more lanes. Scroll down to print them too.')
  await user.click(await screen.findByRole('button', { name: 'MORE LANES' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'MORE LANES' })).toBeNull())
  expect(document.activeElement?.getAttribute('data-card')).toBe('101 5 1')
})

test('a column that is not read to its end says why, and has no move to its end; Ctrl+click goes to the browser, a tap selects', async () => {
  const { user } = showLanes([101, 102], 9000, new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await screen.findByText('More of Open could not be loaded')
  await user.click(screen.getByRole('button', { name: 'Move OPS-101' }))
  expect(screen.queryByRole('menuitem', { name: 'Move to the end' })).toBeNull()
  await user.keyboard('{Escape}')
  const card = screen.getByRole('link', { name: /OPS-101/ })
  const seen = vi.fn((event: Event) => [event.defaultPrevented, event.preventDefault()][0])
  window.addEventListener('click', seen, { once: true })
  fireEvent.click(card, { ctrlKey: true })
  expect(seen).toHaveReturnedWith(false)
  act(() => toggleSelected(1, 102))
  await user.click(card)
  within(card).getByText('Selected')
})
