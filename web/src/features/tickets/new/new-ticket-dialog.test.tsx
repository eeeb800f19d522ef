import { QueryObserver } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketTemplate, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { createNewTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { plainRow } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { readKept } from '../../../lib/forms/drafts/kept.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { noteSeen } from '../../../lib/session/activity.ts'
import { currentSession, enterSession, leaveSession, timeOutSession } from '../../../lib/session/session.tsx'
import { AddTicketButton } from './add-ticket-button.tsx'
import { NewTicketDialog } from './new-ticket-dialog.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const projects = [
  { id: 1, shortcode: 'TIM', Title: 'Titanium' },
  { id: 2, shortcode: 'ALOY', Title: 'Alloy' },
]

function open({ count = 1, idParent }: { count?: number; idParent?: number } = {}) {
  const server = fakeServer()
  server.on(getTicketTemplateList, ({ idProject }) => [
    { idTicketTemplate: idProject * 10, Description: 'Bug' },
    { idTicketTemplate: idProject * 10 + 1, Description: 'Task' },
  ])
  server.on(createNewTicket, () => [77])
  noteSeen()
  const shown = projects.slice(0, count)
  enterSession(
    signedIn({ projects: shown, projperms: shown.map(({ id }) => ({ idProject: id, Permissions: [1, permission.createTickets] })) }),
  )
  const onClose = vi.fn()
  const Page = () => (
    <>
      <NewTicketDialog idProject={1} onClose={onClose} {...(idParent && { idParent, parentName: `TIM-${idParent} Kernel` })} />
      <Toaster />
    </>
  )
  const { user, client } = showPages([
    { path: '/', Component: Page },
    { path: '/view-ticket/:id', Component: () => 'the ticket' },
  ])
  return { server, onClose, user, client }
}
async function fillTitle(user: ReturnType<typeof userEvent.setup>, title: string) {
  await screen.findByText('Bug')
  await user.type(screen.getByLabelText('Title'), title)
}

test('the type defaults to the first template, and a list sends no parent [4.19]', async () => {
  const { server, user, onClose } = open()
  await fillTitle(user, '  Crash  ')
  await user.click(screen.getByRole('button', { name: 'ADD & CLOSE' }))
  expect(await screen.findByText('Ticket TIM-77 was created')).toBeDefined()
  expect(server.sentTo(createNewTicket).map(({ input }) => input)).toEqual([{ idProject: 1, idTemplate: 10, Title: 'Crash' }])
  expect(onClose).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'OPEN' }))
  await screen.findByText('the ticket')
})

test('a child names its parent and is sent with it; the first type is the default too; several projects are named [2.117] [4.19]', async () => {
  const { server, user } = open({ count: 2, idParent: 5 })
  const siblings = [{ ...plainRow, id: 6, Type: 'Task', Title: 'Sibling', idParent: 5 }]
  server.on(queryTickets, () => ({ Tickets: siblings, NextCursor: null, Total: 1 }))
  await fillTitle(user, 'Child')
  screen.getByText('TIM-5 Kernel')
  expect(screen.getByText('Titanium [TIM]')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'ADD & OPEN' }))
  expect(await screen.findByText('the ticket')).toBeDefined()
  expect(server.sentTo(createNewTicket)[0]?.input).toEqual({ idProject: 1, idTemplate: 10, Title: 'Child', idParent: 5 })
  cleanup()
  open()
  await screen.findByText('Bug')
  expect(screen.queryByText('Titanium [TIM]')).toBeNull()
})

test('add another keeps the dialog with an empty title; each ticket has an idempotency key of its own [9.3]', async () => {
  const { server, user, onClose } = open()
  await fillTitle(user, 'Same')
  await user.click(screen.getByRole('button', { name: 'ADD & ADD ANOTHER' }))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe(''))
  await fillTitle(user, 'Same')
  await user.click(screen.getByRole('button', { name: 'ADD & ADD ANOTHER' }))
  await waitFor(() => expect(server.sentTo(createNewTicket)).toHaveLength(2))
  const keys = server.sentTo(createNewTicket).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(2)
  expect(onClose).not.toHaveBeenCalled()
})

test('a failure says so, keeps the title, and the next try repeats the same request', async () => {
  const { server, user, onClose } = open()
  server.on(createNewTicket, () => new Refusal(503, { error: 'The database is away', code: 'unavailable' }))
  await fillTitle(user, 'Kept')
  await user.click(screen.getByRole('button', { name: 'ADD & CLOSE' }))
  expect(await screen.findByText('Ticket creation failure')).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe('The database is away')
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Kept')
  server.on(createNewTicket, () => [78])
  await user.click(screen.getByRole('button', { name: 'ADD & CLOSE' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const keys = server.sentTo(createNewTicket).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
})

test('a blank title is not sent', async () => {
  const { server, user } = open()
  await fillTitle(user, '   ')
  await user.click(screen.getByRole('button', { name: 'ADD & CLOSE' }))
  expect(await screen.findByText('Enter a title')).toBeDefined()
  expect(server.sentTo(createNewTicket)).toEqual([])
})

test('the title bar offers a ticket where any project takes one, and begins in the first that does', async () => {
  fakeServer().on(getTicketTemplateList, ({ idProject }) => [{ idTicketTemplate: idProject * 10, Description: 'Bug' }])
  const held = (id: number, Permissions: number[]) => ({ idProject: id, Permissions })
  enterSession(signedIn({ projects, projperms: [held(1, [1]), held(2, [1, permission.createTickets])] }))
  showPages([{ path: '/', Component: AddTicketButton }])
  await screen.findByRole('button', { name: 'ADD TICKET' })
  await act(async () => void fireEvent.keyDown(document.body, { key: 'c' }))
  await screen.findByText('Alloy [ALOY]')
  expect(screen.queryByRole('combobox', { name: 'Project' })).toBeNull()
  cleanup()
  enterSession(signedIn({ projects, projperms: [held(1, [1]), held(2, [1])] }))
  showPages([{ path: '/', Component: AddTicketButton }])
  expect(screen.queryByRole('button', { name: 'ADD TICKET' })).toBeNull()
})

test('a title typed while the previous ticket is created stays', async () => {
  const { server, user } = open()
  const made = Promise.withResolvers<number[]>()
  server.on(createNewTicket, () => made.promise)
  await fillTitle(user, 'First')
  await user.click(screen.getByRole('button', { name: 'ADD & ADD ANOTHER' }))
  const field = screen.getByLabelText<HTMLInputElement>('Title')
  await user.clear(field)
  await user.type(field, 'Second')
  made.resolve([77])
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'ADD & ADD ANOTHER' }).disabled).toBe(false))
  expect(field.value).toBe('Second')
})

test('while the ticket is created neither CANCEL nor Escape closes the dialog', async () => {
  const { server, user, onClose } = open()
  const made = Promise.withResolvers<number[]>()
  server.on(createNewTicket, () => made.promise)
  await fillTitle(user, 'Crash')
  await user.click(screen.getByRole('button', { name: 'ADD & CLOSE' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'CANCEL' }).disabled).toBe(true)
  await user.keyboard('{Escape}')
  expect([onClose.mock.calls.length, screen.queryByText('Discard what you typed?')]).toEqual([0, null])
  made.resolve([77])
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('a ticket that is created after its page was left is not offered again', async () => {
  const { server, user } = open()
  const { promise, resolve } = Promise.withResolvers<number[]>()
  server.on(createNewTicket, () => promise)
  await fillTitle(user, 'Once')
  await user.click(screen.getByRole('button', { name: 'ADD & CLOSE' }))
  await act(() => navigate('/view-ticket/1'))
  expect(readKept('new-ticket-1-0')?.value).toBe('Once')
  resolve([77])
  await waitFor(() => expect(readKept('new-ticket-1-0')).toBeUndefined())
})

test('the title that a type begins with is not kept as something typed', async () => {
  const { server } = open()
  server.on(getTicketTemplate, () => ({ Defaults: { Title: 'Crash in ' } }) as never)
  await screen.findByDisplayValue('Crash in')
  await act(() => navigate('/view-ticket/1'))
  expect(readKept('new-ticket-1-0')).toBeUndefined()
})

test('after a ticket was created, the lists of its project are read again', async () => {
  const { server, user, client } = open()
  server.on(queryTickets, () => ({ Tickets: [], NextCursor: null, Total: 0 }))
  onTestFinished(new QueryObserver(client, callQuery(queryTickets, { idProject: 1, idParent: null })).subscribe(() => {}))
  await fillTitle(user, 'New')
  expect(server.sentTo(queryTickets)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'ADD & ADD ANOTHER' }))
  await waitFor(() => expect(server.sentTo(queryTickets)).toHaveLength(2))
})

test('in another project the choice of type begins anew', async () => {
  const { user } = open({ count: 2 })
  const choose = async (name: string, option: string) => {
    await user.click(await screen.findByRole('combobox', { name }))
    await user.click(await screen.findByRole('option', { name: option }))
  }
  await choose('Ticket type', 'Task')
  await choose('Project', 'Alloy [ALOY]')
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Ticket type' }).textContent).toBe('Bug'))
  expect(screen.queryByText(/deleted or archived/)).toBeNull()
})

test('a chosen type that is deleted meanwhile is not silently replaced by another', async () => {
  const { server, user, client } = open()
  await fillTitle(user, 'Crash')
  await user.click(screen.getByRole('combobox', { name: 'Ticket type' }))
  await user.click(await screen.findByRole('option', { name: 'Task' }))
  server.on(getTicketTemplateList, () => [{ idTicketTemplate: 10, Description: 'Bug' }])
  await act(() => client.invalidateQueries())
  expect(await screen.findByText(/This type was deleted or archived meanwhile/)).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'ADD & CLOSE' }).disabled).toBe(true)
  await user.click(screen.getByRole('combobox', { name: 'Ticket type' }))
  await user.click(await screen.findByRole('option', { name: 'Bug' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'ADD & CLOSE' }).disabled).toBe(false)
})

/** Begins a ticket in the dialog that the title bar opens. */
async function typeInTitleBar() {
  const { server } = open()
  cleanup()
  server.on(getTicketTemplateList, () => [{ idTicketTemplate: 10, Description: 'Bug' }])
  const { user } = showPages([{ path: '/', Component: AddTicketButton }])
  await user.click(screen.getByRole('button', { name: 'ADD TICKET' }))
  await user.type(await screen.findByLabelText('Title'), 'Crash')
}

test('the dialog of the title bar outlives the end of the session', async () => {
  await typeInTitleBar()
  act(() => timeOutSession())
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Crash')
  act(() => leaveSession())
  expect(screen.queryByLabelText('Title')).toBeNull()
})

test('another person who signs in does not see the dialog', async () => {
  await typeInTitleBar()
  const { idUser, projects, projectPermissions } = currentSession()
  act(() => timeOutSession())
  act(() => enterSession(signedIn({ idUser: idUser + 1, projects, projperms: projectPermissions })))
  expect(screen.queryByLabelText('Title')).toBeNull()
  expect(screen.getByRole('button', { name: 'ADD TICKET' })).toBeDefined()
})

test('Enter before the types are loaded creates the ticket once they are', async () => {
  const { server, user, onClose } = open()
  const types = Promise.withResolvers<{ idTicketTemplate: number; Description: string }[]>()
  server.on(getTicketTemplateList, () => types.promise)
  await user.type(screen.getByLabelText('Title'), 'Crash{Enter}')
  expect(screen.getByRole('button', { name: 'ADD & CLOSE' })).toHaveProperty('ariaBusy', 'true')
  expect(server.sentTo(createNewTicket)).toEqual([])
  types.resolve([{ idTicketTemplate: 10, Description: 'Bug' }])
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.sentTo(createNewTicket).map(({ input }) => input)).toEqual([{ idProject: 1, idTemplate: 10, Title: 'Crash' }])
})
