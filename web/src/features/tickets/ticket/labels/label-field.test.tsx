import { permission } from '@tessera/contract/permissions'
import { getLabelList, setLabel } from '@tessera/contract/projects/labels'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { carriedLabels, type LabelChange } from '../../ticket.ts'
import { useTicketDraft } from '../use-ticket-draft.ts'
import { LabelField } from './label-field.tsx'
import { TicketLabels } from './ticket-labels.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function field() {
  const server = fakeServer()
  server.on(getLabelList, () => [{ idLabel: 4, Label: 'urgent', Color: '#112233', Scope: 'project', Tickets: 0 }])
  const onChange = vi.fn()
  const onClose = vi.fn()
  const ticket = { ...plainTicket, Permissions: [permission.manageFields] }
  const urgent = { idLabel: 4, Label: 'urgent', Color: '#112233' }
  function Page() {
    const [changes, change] = useState<LabelChange[]>([])
    onChange.mockImplementation(change)
    return <LabelField ticket={ticket} shown={carriedLabels([], changes, [urgent])} onChange={onChange} onClose={onClose} />
  }
  const { user } = show(<Page />)
  await user.type(await screen.findByRole('combobox', { name: 'Labels' }), 'new')
  const create = async () => user.click(await screen.findByRole('option', { name: 'Create the label “new”' }))
  return { server, user, create, onChange, onClose }
}

test('the error of a label that could not be created disappears when another is chosen', async () => {
  const { server, user, create, onChange } = await field()
  server.on(setLabel, () => new Refusal(422, { error: 'Too many labels', code: 'invalid' }))
  await create()
  await screen.findByText('Too many labels')
  await user.clear(screen.getByRole('combobox', { name: 'Labels' }))
  await user.click(await screen.findByRole('option', { name: 'urgent' }))
  expect(screen.queryByText('Too many labels')).toBeNull()
  expect(onChange).toHaveBeenCalledWith([{ idLabel: 4, Enabled: 1 }])
})

test('Escape while a label is created leaves the field open, so that the ticket gets it', async () => {
  const { server, user, create, onChange, onClose } = await field()
  const made = Promise.withResolvers<{ Success: 1; idLabel: number }>()
  server.on(setLabel, () => made.promise)
  await create()
  await user.keyboard('{Escape}{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  made.resolve({ Success: 1, idLabel: 9 })
  await waitFor(() => expect(onChange).toHaveBeenCalledWith([{ idLabel: 9, Enabled: 1 }]))
})

test('a label is created once, however often Enter is pressed, and one that is chosen meanwhile stays', async () => {
  const { server, user, create, onChange } = await field()
  const made = Promise.withResolvers<{ Success: 1; idLabel: number }>()
  server.on(setLabel, () => made.promise)
  await create()
  await user.keyboard('{Enter}')
  await user.clear(screen.getByRole('combobox', { name: 'Labels' }))
  await user.click(await screen.findByRole('option', { name: 'urgent' }))
  made.resolve({ Success: 1, idLabel: 9 })
  const both = [4, 9].map(idLabel => ({ idLabel, Enabled: 1 }))
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(both))
  expect(server.sentTo(setLabel)).toHaveLength(1)
})

test('Enter creates a label of which another one has only the words', async () => {
  const { server, user } = await field()
  server.on(setLabel, () => ({ Success: 1, idLabel: 9 }))
  const input = screen.getByRole('combobox', { name: 'Labels' })
  await user.clear(input)
  await user.type(input, 'gent ur')
  await screen.findByRole('option', { name: 'urgent' })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.sentTo(setLabel).map(({ input: sent }) => sent)).toMatchObject([{ Label: 'gent ur' }]))
})

test('Ctrl+S closes the field, so that the ticket can be saved below its list', async () => {
  const { user, onClose } = await field()
  await user.keyboard('{Control>}s{/Control}')
  expect(onClose).toHaveBeenCalledWith(true)
})

test('the labels stay in sight while their field is loading', async () => {
  fakeServer()
  const ticket = { ...plainTicket, Labels: [{ idLabel: 4, Label: 'urgent', Color: '#112233' }], Permissions: [permission.editTickets] }
  const Page = () => <TicketLabels ticket={ticket} draft={useTicketDraft(ticket)} blocked={undefined} />
  show(<Page />)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit labels' }))
  screen.getByText('urgent')
  await screen.findByRole('combobox', { name: 'Labels' })
})
