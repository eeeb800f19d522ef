import { permission } from '@tessera/contract/permissions'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { plainRow } from '../../../../test/ticket.ts'
import { PageHeading } from '../../../components/page-content/page-heading.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { TicketList } from './ticket-list.tsx'

// Wide enough for a list with a head.
beforeEach(() => vi.stubGlobal('innerWidth', 1440))
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

test('a column whose field was deleted leaves the list and its order, and the others stay', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const fields = [{ path: 'Columns.1', message: 'does not exist' }]
  server.on(queryTickets, ({ Columns }) =>
    Columns?.includes('size')
      ? new Refusal(400, { error: 'Invalid input', code: 'invalid', fields })
      : { Tickets: [{ ...plainRow, id: 4, pcode: 'OPS' }], NextCursor: null, Total: 1 },
  )
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
  const { user } = showPages([{ path: '/', Component: Page }], '/?columns=Created,size&sort=size.asc,ID.desc,Created.asc')
  await screen.findByText('OPS-4')
  expect(decodeURIComponent(window.location.search)).toBe('?columns=Created&sort=ID.desc,Created.asc')
  // As does one that is taken out.
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: /^Created/ }))
  await waitFor(() => expect(decodeURIComponent(window.location.search)).toBe('?sort=ID.desc&columns='))
})

test('children that cannot all be read are not opened, and the page says why', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(queryTickets, ({ Subordinates }) =>
    Subordinates
      ? new Refusal(503, { error: 'Busy', code: 'unavailable' })
      : { Tickets: [{ ...plainRow, id: 4, pcode: 'OPS' }], NextCursor: null, Total: 1 },
  )
  const Page = () => (
    <>
      <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
      <Toaster />
    </>
  )
  const { user } = showPages([{ path: '/', Component: Page }], '/')
  await user.click(await screen.findByRole('button', { name: 'View' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Expand all' }))
  await screen.findByText('Busy')
})

test('the next tickets are read near the end of the list; when that fails, again only on request', async () => {
  enterSession(signedIn())
  class AtTheEnd {
    observe: () => void
    constructor(tell: (seen: { isIntersecting: boolean }[]) => void) {
      this.observe = () => tell([{ isIntersecting: true }])
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', AtTheEnd)
  const server = fakeServer()
  const page = (id: number, NextCursor: string | null) => ({ Tickets: [{ ...plainRow, id, pcode: 'OPS' }], NextCursor, Total: 2 })
  server.on(queryTickets, ({ Cursor }) => (Cursor ? new Refusal(503, { error: 'Busy', code: 'unavailable' }) : page(2, 'after 2')))
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
  const { user } = showPages([{ path: '/', Component: Page }], '/')
  await screen.findByText('The next tickets could not be loaded')
  const sent = server.sentTo(queryTickets).length
  await user.hover(screen.getByText('OPS-2'))
  expect(server.sentTo(queryTickets)).toHaveLength(sent)
  server.on(queryTickets, ({ Cursor }) => (Cursor ? page(1, null) : page(2, 'after 2')))
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByText('OPS-1')
  const again = server.sentTo(queryTickets).slice(sent)
  expect(again.map(({ input }) => input)).toEqual([expect.objectContaining({ Cursor: 'after 2' })])
})

test('a ticket that leaves the list leaves the focus to the next one', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const ticket = (id: number) => ({ ...plainRow, id, pcode: 'OPS', idParent: 5 })
  let ids = Array.from({ length: 20 }, (_, index) => 20 - index)
  server.on(queryTickets, () => ({ Tickets: ids.map(ticket), NextCursor: null, Total: ids.length }))
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
  const { client } = showPages([{ path: '/', Component: Page }], '/')
  const row = async (id: number) => (await screen.findByText(`OPS-${id}`)).closest('tr')
  const second = await row(2)
  act(() => second?.focus())
  // The person may have scrolled on meanwhile.
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  const leaves = async (...gone: number[]) => {
    ids = ids.filter(id => !gone.includes(id))
    await act(() => client.invalidateQueries())
    for (const id of gone) await waitFor(() => expect(screen.queryByText(`OPS-${id}`)).toBeNull())
  }
  const next = async (id: number) => {
    const expected = await row(id)
    await waitFor(() => expect(document.activeElement).toBe(expected))
    expect(expected?.tabIndex).toBe(0)
  }
  await leaves(2)
  await next(1)
  expect(scroll).not.toHaveBeenCalled()
  // The elements of a short list are used for other rows.
  await leaves(...ids.filter(id => id > 6))
  const fourth = await row(4)
  act(() => fourth?.focus())
  await leaves(6, 4)
  await next(3)
})

test.each([
  { who: 'who may edit drags a row by the main button', held: [permission.editTickets], button: 0, isDragged: true },
  { who: 'who may edit drags nothing by another button', held: [permission.editTickets], button: 2, isDragged: false },
  { who: 'who may only look drags nothing', held: [], button: 0, isDragged: false },
])('somebody $who', async ({ held, button, isDragged }) => {
  const projects = [{ id: 1, shortcode: 'OPS', Title: 'Ops' }]
  enterSession(signedIn({ projects, projperms: [{ idProject: 1, Permissions: [permission.viewTickets, ...held] }] }))
  const server = fakeServer()
  server.on(queryTickets, () => ({ Tickets: [{ ...plainRow, id: 4, pcode: 'OPS', Title: 'Hull' }], NextCursor: null, Total: 1 }))
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={null} empty="No child tickets" />
  showPages([{ path: '/', Component: Page }], '/')
  document.elementFromPoint = () => null
  fireEvent.pointerDown(await screen.findByText('OPS-4'), { pointerType: 'mouse', button, buttons: 1, isPrimary: true })
  // The code for dragging is loaded with the first press.
  await import('./drag/row-drag.ts')
  await act(() => new Promise(resolve => setTimeout(resolve)))
  fireEvent.pointerMove(document, { pointerType: 'mouse', buttons: 1, clientX: 20 })
  expect(document.body.hasAttribute('data-dragging')).toBe(isDragged)
  fireEvent.pointerUp(document)
})

test('a query that is emptied leaves its field and the focus there; CLEAR FILTERS leaves columns, order, and the focus on the heading', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const found = [{ ...plainRow, pcode: 'OPS', idParent: 5 }]
  server.on(queryTickets, ({ Query }) => ({ Tickets: Query ? [] : found, NextCursor: null, Total: Query ? 0 : 1 }))
  const heading = <PageHeading>Tickets</PageHeading>
  const Page = () => <TicketList idProject={1} idParent={5} label="Child Tickets" heading={heading} empty="No child tickets" />
  const { user } = showPages([{ path: '/', Component: Page }], '/')
  await screen.findByText('OPS-7')
  await act(() => navigate('/?q=hull&columns=Created&sort=ID.desc'))
  const clear = await screen.findByRole('button', { name: 'CLEAR FILTERS' })
  clear.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(clear.isConnected).toBe(false))
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  expect(window.location.search).toBe('?columns=Created&sort=ID.desc')

  await act(() => navigate('/?q=hull'))
  const field = await screen.findByRole('combobox', { name: 'Query' })
  await user.clear(field)
  await screen.findByText('OPS-7')
  expect(document.activeElement).toBe(field)
  await user.type(field, 'keel')
  await screen.findByText('No ticket matches')
  screen.getByRole('button', { name: 'Clear Query' }).focus()
  await user.keyboard('{Enter}')
  await screen.findByText('OPS-7')
  expect(document.activeElement).toBe(field)
})
