import { allPermissions, permission } from '@tessera/contract/permissions'
import { getTicketFieldList, getTicketTemplateList, propertyType } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { createNewTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { plainView } from '../list/view/ticket-view.ts'
import { Calendar } from './calendar.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 12) })
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The calendar of November 2026, without tickets. */
function world({ permissions = allPermissions, hasType = true }: { permissions?: readonly number[]; hasType?: boolean } = {}) {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [...permissions] }] }))
  const server = fakeServer()
  server.on(getTicketFieldList, () => [{ id: 1, Key: 'due', Label: 'Due date', FieldType: propertyType.DATE, FieldProps: [] }] as never)
  server.on(getProjectData, () => ({ DueField: 'due', Archived: 0, Permissions: permissions }) as never)
  server.on(queryTickets, () => ({ Tickets: [], NextCursor: null, Total: 0 }))
  // Of the project's types only this one has the field.
  server.on(getTicketTemplateList, ({ idField }) => (idField === 1 && hasType ? [{ idTicketTemplate: 6, Description: 'Bug' }] : []))
  const Page = () => (
    <Calendar idProject={1} view={{ ...plainView, layout: 'calendar' }} onChange={() => {}} label="Tickets of Ops" onError={() => {}} />
  )
  return { server, ...showPages([{ path: '/', Component: Page }], '/?date=2026-11') }
}

test('a day adds a ticket with its date, by mouse or arrow keys, of a type that has the field', async () => {
  const { server, user } = world()
  server.on(createNewTicket, () => [77])
  const today = await screen.findByRole('button', { name: 'Add ticket on November 20' })
  expect(screen.getAllByRole('button', { name: /Add ticket/ }).filter(({ tabIndex }) => tabIndex === 0)).toEqual([today])
  today.focus()
  await user.keyboard('{ArrowLeft}{ArrowDown}{Enter}')
  await screen.findByText('Nov 26, 2026')
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Ticket type' }).textContent).toBe('Bug'))
  await user.type(screen.getByLabelText('Title'), 'Ship')
  await user.click(await screen.findByRole('button', { name: 'ADD & CLOSE' }))
  await waitFor(() =>
    expect(server.sentTo(createNewTicket)[0]?.input).toEqual({ idProject: 1, idTemplate: 6, Title: 'Ship', data: { due: '2026-11-26' } }),
  )
})

test('a type that loses the field while the dialog is open is not sent', async () => {
  const { server, user, client } = world()
  await user.click(await screen.findByRole('button', { name: 'Add ticket on November 20' }))
  await screen.findByText('Bug')
  server.on(getTicketTemplateList, () => [])
  await client.invalidateQueries()
  await screen.findByText('No ticket type has the field Due date anymore')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'ADD & CLOSE' }).disabled).toBe(true)
})

test.each([
  ['who may not create tickets', { permissions: [permission.viewTickets, permission.editTickets] }],
  ['where no type has the field', { hasType: false }],
])('%s, no day is offered to add one on', async (_, options) => {
  world(options)
  await screen.findByText('November 2026: 0 tickets')
  expect(screen.queryByRole('button', { name: /Add ticket/ })).toBeNull()
})
