import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { callQuery } from '../../../../lib/calls/api.ts'
import { enterSession } from '../../../../lib/session/session.tsx'
import type { Ticket } from '../../ticket.ts'
import { useTicketDraft } from '../use-ticket-draft.ts'
import { useTicketSave } from '../use-ticket-save.ts'
import { StateMenu } from './state-menu.tsx'
import { TypeMenu } from './type-menu.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const made: Ticket = {
  ...plainTicket,
  OtherTypes: [
    { id: 2, Description: 'Task' },
    { id: 3, Description: 'Idea' },
  ],
  Permissions: [permission.viewTickets, permission.editTickets],
}

function Edited({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const draft = useTicketDraft(ticket)
  const save = useTicketSave(ticket, draft)
  return (
    <>
      <TypeMenu ticket={ticket} value={draft.draft.Type} onChange={id => draft.set('Type', id)} blocked={blocked} />
      <button type="button" onClick={save.send}>
        SAVE
      </button>
    </>
  )
}
function Page({ blocked }: { blocked?: string }) {
  const { data } = useQuery(callQuery(getTicketData, { idTicket: 7 }))
  return data && <Edited ticket={data} blocked={blocked} />
}

function begin(ticket: Ticket, blocked?: string) {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketData, () => ticket)
  return { server, ...show(<Page {...(blocked !== undefined && { blocked })} />) }
}

test('another type is chosen by keyboard and saved by its id; until then the menu has the way back', async () => {
  const { server, user } = begin(made)
  const button = await screen.findByRole('button', { name: 'Type: Bug' })
  button.focus()
  await user.keyboard('{Enter}{ArrowDown}{Enter}')
  expect(await screen.findByRole('button', { name: 'Type: Idea' })).toBe(document.activeElement)
  expect(screen.getByText('was Bug; SAVE changes the fields')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Type: Idea' }))
  expect(screen.getAllByRole('menuitem').map(item => item.textContent)).toEqual(['Bugnow', 'Task', 'Idea'])
  await user.click(screen.getByRole('menuitem', { name: 'Task' }))

  server.on(setTicketData, () => ({ Success: 1, Version: 5 }))
  server.on(getTicketData, () => new Promise<never>(() => undefined))
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await waitFor(() => expect(screen.queryByText(/^was Bug/)).toBeNull())
  expect(server.sentTo(setTicketData).map(({ input }) => input)).toEqual([{ idTicket: 7, idTemplate: 2, Version: 4 }])
  await user.click(screen.getByRole('button', { name: 'Type: Task' }))
  expect(screen.getAllByRole('menuitem').map(item => item.textContent)).toEqual(['Bug', 'Idea'])
})

test('the keys go on working when the type that has the focus is archived', async () => {
  const { server, user, client } = begin(made)
  const button = await screen.findByRole('button', { name: 'Type: Bug' })
  button.focus()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('menuitem', { name: 'Task' })).toBe(document.activeElement)
  server.on(getTicketData, () => ({ ...made, OtherTypes: [{ id: 3, Description: 'Idea' }] }))
  await act(() => client.refetchQueries())
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Task' })).toBeNull())
  await user.keyboard('{Enter}')
  expect(screen.getByRole('menu', { name: 'Type' })).toBe(document.activeElement)
  await user.keyboard('{ArrowDown}{Enter}')
  expect(await screen.findByRole('button', { name: 'Type: Idea' })).toBe(document.activeElement)
})

test.each([
  ['is the only one', { ...made, OtherTypes: undefined as never }, undefined],
  ['may not be changed by this person', { ...made, Permissions: [permission.viewTickets, permission.changeState] }, undefined],
  ['may not be changed by anybody', made, 'This ticket is in the trash'],
])('the type is plain text where it %s', async (_, ticket, blocked) => {
  begin(ticket, blocked)
  await screen.findByText('Bug')
  expect(screen.queryByRole('button', { name: /Type/ })).toBeNull()
})

test('a state that was chosen and not saved yet has the way back in its menu', async () => {
  enterSession(signedIn())
  fakeServer()
  const OutputStates = [{ id: 2, Description: 'Done' }]
  const ticket = { ...plainTicket, OutputStates, Permissions: [permission.viewTickets, permission.changeState] }
  const onChange = vi.fn()
  const shownWith = async (value: number) => {
    cleanup()
    const { user } = show(<StateMenu ticket={ticket} value={value} onChange={onChange} blocked={undefined} />)
    await user.click(await screen.findByRole('button', { name: /^State/ }))
    return { user, names: (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent) }
  }
  expect((await shownWith(1)).names).toEqual(['Done'])
  const { user, names } = await shownWith(2)
  expect(names).toEqual(['Opennow', 'Done'])
  await user.click(screen.getByText('now'))
  expect(onChange).toHaveBeenCalledWith(1)
})
