import { useQuery } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { getProjectRoleList, getProjectUserList } from '@tessera/contract/tickets/assignees'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { callQuery } from '../../../../lib/calls/api.ts'
import { noteSeen } from '../../../../lib/session/activity.ts'
import type { Ticket, TicketDraft } from '../../ticket.ts'
import { useTicketDraft } from '../use-ticket-draft.ts'
import { GoneNote } from './gone-note.tsx'

const note = { Key: 'note', Label: 'Note', Value: '', Renderer: 'TEXT', FieldProps: [] }
const customer = { Key: 'customer', Label: 'Customer', Value: '', Renderer: 'TEXT', FieldProps: [] }
const made: Ticket = {
  ...plainTicket,
  OtherTypes: [{ id: 5, Description: 'Idea' }],
  OutputStates: [{ id: 2, Description: 'Doing' }],
  Fields: [note, customer],
  Permissions: [1, 3],
}
const states = [
  { id: 1, Description: 'Open', phase: 1 },
  { id: 2, Description: 'Doing', phase: 2 },
] as const
const labels = [
  { idLabel: 4, Label: 'doomed', Color: '#112233', Scope: 'project', Tickets: 0 },
  { idLabel: 5, Label: 'kept', Color: '#112233', Scope: 'project', Tickets: 0 },
] as const
const roles = [
  { id: 1, text: 'Reviewer' },
  { id: 2, text: 'Assignee' },
]
const people = [
  { id: 8, text: 'Aiko Tan' },
  { id: 9, text: 'Len Fox' },
]

let draft: ReturnType<typeof useTicketDraft>
function Edited({ ticket }: { ticket: Ticket }) {
  draft = useTicketDraft(ticket)
  return (
    <>
      <h1 tabIndex={-1}>{ticket.Title}</h1>
      <GoneNote ticket={ticket} draft={draft} />
    </>
  )
}
function Page() {
  const { data } = useQuery(callQuery(getTicketData, { idTicket: 7 }))
  return data && <Edited ticket={data} />
}

async function edit(changes: Partial<TicketDraft>) {
  const server = fakeServer()
  server.on(getTicketData, () => made)
  server.on(getTicketStateList, () => states)
  server.on(getLabelList, () => labels)
  server.on(getProjectRoleList, () => roles)
  server.on(getProjectUserList, () => people)
  const { client } = show(<Page />)
  await screen.findByRole('heading', { name: 'Crash' })
  act(() => {
    for (const [name, value] of Object.entries({ ...changes, 'data.customer': 'Acme' })) draft.set(name as 'Title', value as string)
  })
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(draft.changed).toEqual({ ...changes, 'data.customer': 'Acme' })
  return { server, client }
}

const pair = { idUser: 8, idRole: 1, Enabled: 1 as const }
const left = { idUser: 8, idRole: 2, Enabled: 1 as const }
test.each([
  ['field', { 'data.note': 'first step' }, {}, 'The field Note was removed from this ticket. You had entered: first step'],
  ['type', { Type: 5 }, {}, 'The type Idea is no longer offered.'],
  ['state', { State: 2 }, {}, 'The state Doing was deleted.'],
  [
    'label',
    { Labels: [4, 5].map(idLabel => ({ idLabel, Enabled: 1 as const })) },
    { Labels: [{ idLabel: 5, Enabled: 1 }] },
    'The label doomed was deleted.',
  ],
  ['role', { TicketAssign: [pair, left] }, { TicketAssign: [left] }, 'The role Reviewer was deleted.'],
  [
    'member, whom the draft takes a role from that is deleted too,',
    { TicketAssign: [{ ...left, idUser: 9 }, { ...pair, idUser: 9, Enabled: 0 }, left] },
    { TicketAssign: [left] },
    'Len Fox is no longer a member of this project, or was deactivated.',
  ],
  [
    'member',
    { TicketAssign: [{ ...left, idUser: 9 }, left] },
    { TicketAssign: [left] },
    'Len Fox is no longer a member of this project, or was deactivated.',
  ],
] as const)('a %s that is deleted meanwhile is removed from the draft, which says so', async (_what, changes, rest, sentence) => {
  const { server, client } = await edit(changes as Partial<TicketDraft>)
  server.on(getTicketData, () => ({ ...made, OtherTypes: [], OutputStates: [], Fields: [customer] }))
  server.on(getTicketStateList, () => states.slice(0, 1))
  server.on(getLabelList, () => labels.slice(1))
  server.on(getProjectRoleList, () => roles.slice(1))
  server.on(getProjectUserList, () => people.slice(0, 1))
  await client.invalidateQueries()
  await screen.findByText(sentence)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')))
  expect(draft.changed).toEqual({ ...rest, 'data.customer': 'Acme' })
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})

test('a new item in a list that is read again is not reported as deleted', async () => {
  const { server, client } = await edit({})
  const fresh = { idLabel: 6, Label: 'fresh', Color: '#112233', Scope: 'project', Tickets: 0 } as const
  client.setQueryData(callQuery(getLabelList, { idProject: 1 }).queryKey, [...labels])
  server.on(getLabelList, () => [...labels, fresh])
  const reading = client.invalidateQueries()
  act(() => draft.set('Labels', [{ idLabel: 6, Enabled: 1 }]))
  await reading
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(draft.changed.Labels).toEqual([{ idLabel: 6, Enabled: 1 }])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a text of a field that the ticket has no longer is shown after a reload too', async () => {
  noteSeen()
  const { server } = await edit({ 'data.note': 'first step' })
  cleanup()
  server.on(getTicketData, () => ({ ...made, Fields: [customer] }))
  show(<Page />)
  await screen.findByText('The field note was removed from this ticket. You had entered: first step')
  expect(draft.changed).toEqual({ 'data.customer': 'Acme' })
  localStorage.clear()
})
