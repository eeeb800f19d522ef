import { permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { projectArchived } from '@tessera/contract/refusals'
import { getProjectRoleList, getTicketRolelist } from '@tessera/contract/tickets/assignees'
import { restoreTicket } from '@tessera/contract/tickets/moving'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { plainTicket } from '../../../../test/ticket.ts'
import { isKeeping, readKept } from '../../../lib/forms/drafts/kept.ts'
import { beginWalk, lastShown } from '../../../lib/navigation/list-walk.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import type { Ticket } from '../ticket.ts'
import { ViewTicketPage } from './view-ticket-page.tsx'

afterEach(() => {
  cleanup()
  // What the test before typed is kept.
  localStorage.clear()
  vi.unstubAllGlobals()
})

const made: Ticket = { ...plainTicket, Permissions: [1, 3] }

const gone = () => new Refusal(404, { error: 'Not found', code: 'not_found' })

class Blind {
  observe() {}
  disconnect() {}
}

async function open() {
  enterSession(signedIn())
  // jsdom has neither.
  for (const name of ['IntersectionObserver', 'ResizeObserver']) vi.stubGlobal(name, Blind)
  const server = fakeServer()
  server.on(getTicketData, () => made)
  const shown = showPages([{ path: '/view-ticket/:id', Component: ViewTicketPage }], '/view-ticket/7')
  const title = await screen.findByDisplayValue<HTMLTextAreaElement>('Crash')
  return { server, title, ...shown }
}

test('a ticket that was deleted meanwhile is replaced by the reason', async () => {
  const { server, client } = await open()
  server.on(getTicketData, gone)
  await client.invalidateQueries()
  await screen.findByText('It was deleted meanwhile, or you no longer have access.')
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})

test('a ticket that is restored leaves the focus on its heading', async () => {
  const { server, client, user } = await open()
  const trashed: Ticket = { ...made, Trashed: 1, Permissions: [permission.viewTickets, permission.deleteTickets] }
  server.on(getTicketData, () => trashed)
  await client.invalidateQueries()
  server.on(getTicketData, () => ({ ...made, Permissions: trashed.Permissions }))
  server.on(restoreTicket, () => ({ Success: 1, Tickets: 1 }))
  await user.click(await screen.findByRole('button', { name: /^RESTORE/ }))
  await waitFor(() => expect(screen.queryByText(/is in the trash/)).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})

test('text typed into a ticket that was deleted stays readable after the failed save', async () => {
  const { server, user, title } = await open()
  await user.type(title, ' at start')
  server.on(getTicketData, gone)
  server.on(setTicketData, gone)
  await user.click(screen.getByRole('button', { name: /^SAVE/ }))
  await screen.findByText(/^This ticket was deleted meanwhile, or you no longer have access to it/)
  expect(title.isConnected && title.value).toBe('Crash at start')
  expect(screen.getByRole('button', { name: /^SAVE/ }).getAttribute('aria-disabled')).toBe('true')
})

test('without the permission that was taken away meanwhile nothing is saved, the button says why, and what was typed stays', async () => {
  const { server, client, user, title } = await open()
  await user.type(title, ' at start')
  server.on(getTicketData, () => ({ ...made, Permissions: [1] }))
  await client.invalidateQueries()
  const save = screen.getByRole<HTMLButtonElement>('button', { name: /^SAVE/ })
  await waitFor(() => expect(save.disabled).toBe(true))
  await user.hover(save)
  await screen.findByText(/^Needs the permission Edit tickets/)
  expect(title.value).toBe('Crash at start')
})

test('a ticket of a project that is archived meanwhile takes no change, and says so', async () => {
  const { server, client, title } = await open()
  server.on(getProjectData, () => ({ Archived: 1 }) as never)
  await client.invalidateQueries()
  await screen.findByText(projectArchived, { exact: false })
  expect(title.readOnly).toBe(true)
})

test('a text that is stored after the page was left is not offered again as unsaved', async () => {
  const { server, user, title } = await open()
  const stored = Promise.withResolvers<{ Success: 1; Version: number }>()
  server.on(setTicketData, () => stored.promise)
  await user.type(title, ' at start')
  await user.click(screen.getByRole('button', { name: /^SAVE/ }))
  cleanup()
  expect(readKept('ticket-7')).toMatchObject({ value: { changed: { Title: 'Crash at start' } } })
  stored.resolve({ Success: 1, Version: 5 })
  await waitFor(() => expect(readKept('ticket-7')).toBeUndefined())
})

test('a ticket without a title is not saved, and the field gets the focus', async () => {
  const { server, user, title } = await open()
  await user.clear(title)
  await user.click(screen.getByRole('button', { name: /^SAVE/ }))
  expect(document.activeElement).toBe(title)
  expect(server.sentTo(setTicketData)).toEqual([])
})

test('where storage is full, leaving the page promises nothing', async () => {
  const { user, title } = await open()
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  })
  await user.type(title, ' at start')
  await waitFor(() => expect(isKeeping()).toBe(false))
  void navigate('/home')
  expect((await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).textContent).toContain('would be lost')
  full.mockRestore()
})

test('a next ticket that takes long to find does not lead away from the page that was opened meanwhile', async () => {
  enterSession(signedIn())
  const rest = Promise.withResolvers<{ Tickets: { id: number }[]; NextCursor: null }>()
  const tickets = [7]
  beginWalk({ list: ['open'], tickets, cursor: 'rest', read: () => rest.promise, shown: 7 })
  const { user } = await open()
  await user.keyboard(']')
  await navigate('/home')
  rest.resolve({ Tickets: [{ id: 8 }], NextCursor: null })
  await waitFor(() => expect(tickets).toEqual([7, 8]))
  await new Promise(resolve => setTimeout(resolve))
  expect(window.location.pathname).toBe('/home')
  // Where Back leads to the list, its focus is on the ticket that was open.
  expect(lastShown(['open'])).toBe(7)
})

test('a button that disappears when it is pressed leaves the focus beside it', async () => {
  const { server, client, user, title } = await open()
  const press = async (button: HTMLElement) => {
    button.focus()
    await user.keyboard('{Enter}')
    expect(button.isConnected).toBe(false)
  }
  server.on(getTicketData, () => ({ ...made, Permissions: [1, 3, 5], Title: 'Theirs', Version: 5 }))
  await user.type(title, ' at start')
  server.on(setTicketData, () => new Refusal(422, { error: 'Not today', code: 'rule' }))
  await user.click(screen.getByRole('button', { name: /^SAVE/ }))
  const refusal = (await screen.findByText('Not today')).closest<HTMLElement>('[role=alert]') as HTMLElement
  await press(within(refusal).getByRole('button', { name: 'Close' }))
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))

  await client.invalidateQueries()
  await press(await screen.findByRole('button', { name: 'TAKE THEIRS' }))
  expect(title.value).toBe('Theirs')
  expect(document.activeElement).toBe(title)

  server.on(getProjectRoleList, () => [{ id: 2, text: 'Assignee' }])
  server.on(getTicketRolelist, () => [{ Name: 'Ada', Role: 'Assignee' }])
  await press(screen.getByRole('button', { name: 'ASSIGN ME' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit assignees' }))
})
