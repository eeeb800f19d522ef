import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { plainTicket } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { ChangeLine, TicketHistoryList } from './ticket-history-list.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('earlier changes that cannot be read say so, and can be asked for again', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const change = {
    idChangeSet: 1,
    DateChanged: 1_700_000_000,
    Author: 'Ada',
    Field: 'State',
    Label: 'State',
    Before: 'Open',
    After: 'Done',
    Restorable: null,
  }
  // What is new is plain text, however long: there is nothing to compare it with.
  const written = {
    ...change,
    id: 8,
    idChangeSet: 9,
    Field: 'Comment',
    Label: 'Comment',
    Before: null,
    After: 'A long comment. '.repeat(9).trim(),
  }
  let isBroken = true
  server.on(getTicketHistory, ({ Cursor }) => {
    if (Cursor === undefined) return { Changes: [{ ...change, id: 9, idChangeSet: 9 }, written], NextCursor: 9 }
    if (isBroken) return new Refusal(503, { error: 'The server is busy', code: 'unavailable' })
    return { Changes: [{ ...change, id: 1, Author: 'Ben' }], NextCursor: null }
  })
  const { user } = show(<TicketHistoryList ticket={plainTicket} blocked={undefined} />)
  expect((await screen.findByText(written.After)).tagName).toBe('SPAN')
  await user.click(await screen.findByRole('button', { name: 'EARLIER CHANGES' }))
  expect((await screen.findByRole('alert')).textContent).toBe('The server is busy')
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'EARLIER CHANGES' }))
  await screen.findByText('Ben')
})

test('a former state is restored by its id, with the permission for states; a text that was empty is shown as nothing', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(setTicketData, () => ({ Success: 1, Version: 5 }))
  const Fields = [{ Key: 'note', Label: 'Note', Value: 'Words', Renderer: 'TEXT', FieldProps: [] }]
  const ticket = { ...plainTicket, Fields, Permissions: [permission.changeState] }
  const change = { id: 1, idChangeSet: 1, DateChanged: 1, Author: 'Ada', Label: 'State', Field: 'State', Before: 'Open', After: 'Done' }
  const note = { ...change, Label: 'Note', Field: 'data.note', Before: '', After: 'Words', Restorable: 'Former' }
  const lines = [{ ...change, Restorable: '3' }, note].map(each => (
    <ChangeLine key={each.Field} change={each} ticket={ticket} blocked={undefined} />
  ))
  const { user } = show(<div>{lines}</div>)
  expect((await screen.findByText('(nothing)')).textContent).toBe('(nothing)')
  expect(screen.getByRole('button', { name: 'RESTORE THIS VALUE: Note' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'RESTORE THIS VALUE: State' }))
  await waitFor(() => expect(server.sentTo(setTicketData).map(({ input }) => input)).toEqual([{ idTicket: 7, State: 3, Version: 4 }]))
})

test('a former type is restored; values of fields that the present type lacks are not', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(setTicketData, () => ({ Success: 1, Version: 5 }))
  const ticket = { ...plainTicket, Permissions: [permission.editTickets] }
  const change = { id: 1, idChangeSet: 1, DateChanged: 1, Author: 'Ada', Label: 'Type', Field: 'Type', Before: 'Task', After: 'Bug' }
  const cost = { ...change, Label: 'Cost', Field: 'data.cost', Before: '1', After: '2', Restorable: '1' }
  const lines = [{ ...change, Restorable: '2' }, cost].map(each => (
    <ChangeLine key={each.Field} change={each} ticket={ticket} blocked={undefined} />
  ))
  const { user } = show(
    <div>
      {lines}
      <Toaster />
    </div>,
  )
  await user.click(await screen.findByRole('button', { name: 'RESTORE THIS VALUE: Type' }))
  await waitFor(() => expect(server.sentTo(setTicketData).map(({ input }) => input)).toEqual([{ idTicket: 7, idTemplate: 2, Version: 4 }]))
  expect(screen.queryByRole('button', { name: 'RESTORE THIS VALUE: Cost' })).toBeNull()
  server.on(setTicketData, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.click(screen.getByRole('button', { name: 'RESTORE THIS VALUE: Type' }))
  await screen.findByText(messages.ticketSaveFailed('TIM', 7))
  screen.getByText('Busy')
})
