import { allPermissions, permission } from '@tessera/contract/permissions'
import { getTicketFieldList, getTicketTemplate, getTicketTemplateList, propertyType } from '@tessera/contract/projects/project-config'
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
function world({ permissions = allPermissions }: { permissions?: readonly number[] } = {}) {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [...permissions] }] }))
  const server = fakeServer()
  server.on(getTicketFieldList, () => [{ id: 1, Key: 'due', Label: 'Due date', FieldType: propertyType.DATE, FieldProps: [] }] as never)
  server.on(getProjectData, () => ({ DueField: 'due', Archived: 0, Permissions: permissions }) as never)
  server.on(queryTickets, () => ({ Tickets: [], NextCursor: null, Total: 0 }))
  const Page = () => (
    <Calendar idProject={1} view={{ ...plainView, layout: 'calendar' }} onChange={() => {}} label="Tickets of Ops" onError={() => {}} />
  )
  return { server, ...showPages([{ path: '/', Component: Page }], '/?date=2026-11') }
}

test('a day adds a ticket with its date, by mouse or arrow keys, unless its type lacks the field', async () => {
  const { server, user } = world()
  server.on(getTicketTemplateList, () => [
    { idTicketTemplate: 5, Description: 'Task' },
    { idTicketTemplate: 6, Description: 'Bug' },
  ])
  server.on(getTicketTemplate, ({ idTicketTemplate }) => ({
    idTicketTemplate,
    Label: '',
    idEntryState: 1,
    Fields: idTicketTemplate === 6 ? [1] : [2],
  }))
  server.on(createNewTicket, () => [77])
  const today = await screen.findByRole('button', { name: 'Add ticket on November 20' })
  expect(screen.getAllByRole('button', { name: /Add ticket/ }).filter(({ tabIndex }) => tabIndex === 0)).toEqual([today])
  today.focus()
  await user.keyboard('{ArrowLeft}{ArrowDown}{Enter}')
  await screen.findByText('Nov 26, 2026')
  await screen.findByText('Tickets of this type have no Due date: choose another one')
  await user.click(screen.getByRole('combobox', { name: 'Ticket type' }))
  await user.click(await screen.findByRole('option', { name: 'Bug' }))
  await user.type(screen.getByLabelText('Title'), 'Ship')
  await user.click(await screen.findByRole('button', { name: 'ADD & CLOSE' }))
  await waitFor(() =>
    expect(server.sentTo(createNewTicket)[0]?.input).toEqual({ idProject: 1, idTemplate: 6, Title: 'Ship', data: { due: '2026-11-26' } }),
  )
})

test('who may not create tickets is offered no day to add one on', async () => {
  world({ permissions: [permission.viewTickets, permission.editTickets] })
  await screen.findByText('November 2026: 0 tickets')
  expect(screen.queryByRole('button', { name: /Add ticket/ })).toBeNull()
})
