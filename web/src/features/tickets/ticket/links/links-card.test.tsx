import { permission } from '@tessera/contract/permissions'
import { findTickets, getTicketLinks, removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { CallError } from '../../../../lib/calls/api.ts'
import { refetchAfter } from '../../../../lib/calls/live/refetch-after.ts'
import { BlockedRefusal } from './blocked-refusal.tsx'
import { BlockedState } from './blocked-state.tsx'
import { LinksCard } from './links-card.tsx'

afterEach(cleanup)

test('the first 20 links are shown, then all; one in the trash says so; a link to an unseen ticket is not removed without a question', async () => {
  const server = fakeServer()
  const other = (id: number) => ({ id, pcode: 'OPS', Title: `Ticket ${id}`, State: 'Open', Phase: 1 as const, Trashed: id === 1 })
  const links = Array.from({ length: 21 }, (_, id) => ({ idLink: id, Kind: 'relates', ...(id > 0 && { Ticket: other(id) }) }))
  server.on(getTicketLinks, () => links as never)
  const ticket = { ...plainTicket, Permissions: [permission.viewTickets, permission.editTickets] }
  const { user } = show(
    <>
      <LinksCard ticket={ticket} blocked={undefined} />
      <Toaster />
    </>,
  )
  const rows = async () => within(await screen.findByRole('list', { name: 'Relates to' })).getAllByRole('listitem')
  expect((await rows()).slice(0, 3).map(row => row.textContent)).toEqual([
    'a ticket you cannot see',
    'OPS-1Ticket 1In the trash',
    'OPS-2Ticket 2Open',
  ])
  expect(await rows()).toHaveLength(20)
  await user.click(screen.getByRole('button', { name: 'SHOW ALL (21)' }))
  expect(await rows()).toHaveLength(21)
  await user.click(screen.getByRole('button', { name: 'Remove link: Relates to a ticket you cannot see' }))
  await user.click(screen.getByRole('button', { name: 'CANCEL' }))
  expect(server.sentTo(removeTicketLink)).toEqual([])
  server.on(removeTicketLink, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.click(screen.getByRole('button', { name: 'Remove link: Relates to OPS-1' }))
  await screen.findByText('Busy')
  expect(await rows()).toHaveLength(21)
})

test('the refusal of a blocked ticket names the blockers and counts those that one may not see', async () => {
  const Blockers = [{ id: 9, pcode: 'OPS', Title: 'Kernel' }]
  const problem = (body: object) => Object.assign(new CallError(422, { error: 'Blocked' }), { body })
  show(<BlockedRefusal problem={problem({ Blockers, Unseen: 2 })} />)
  expect((await screen.findByText(/stay/)).textContent).toBe(
    'It stays open while these tickets block it: OPS-9 Kernel, and 2 tickets you cannot see',
  )
})

test('a ticket is no longer blocked as soon as its last blocker is closed, in any project; one that cannot be seen counts as the ticket says', async () => {
  const server = fakeServer()
  const blocker = (Phase: number) => ({ idLink: 1, Kind: 'blocked-by', Ticket: { id: 9, pcode: 'SEA', Title: 'Kernel', Phase } })
  server.on(getTicketLinks, () => [blocker(2)] as never)
  const { client } = show(<BlockedState ticket={{ ...plainTicket, Blocked: 1 }} />)
  await screen.findByText('Blocked')
  const change = (links: unknown) => {
    server.on(getTicketLinks, () => links as never)
    refetchAfter(client, { idProject: 2, idTicket: 9, kind: 'set-ticket-data' })
  }
  change([blocker(3)])
  await waitFor(() => expect(screen.queryByText('Blocked')).toBeNull())
  change([blocker(3), { idLink: 2, Kind: 'blocked-by', Ticket: null }])
  await screen.findByText('Blocked')
})

test('a ticket that is chosen while a link is being added stays chosen, and a refusal of the one before is said', async () => {
  const server = fakeServer()
  server.on(getTicketLinks, () => [])
  server.on(findTickets, ({ Text }) => [{ id: Text === 'First' ? 17 : 18, pcode: 'OPS', Title: Text, Phase: 1 }] as never)
  const ticket = { ...plainTicket, Permissions: [permission.viewTickets, permission.editTickets] }
  const { user } = show(
    <>
      <LinksCard ticket={ticket} blocked={undefined} />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'ADD LINK' }))
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Ticket' })
  const choose = async (title: string) => {
    await user.clear(field)
    await user.type(field, title)
    await user.click(await screen.findByRole('option', { name: new RegExp(title) }))
  }
  const link = () => user.click(screen.getByRole('button', { name: 'LINK' }))
  const linkAndChoose = async (answer: unknown, next: string) => {
    const { promise, resolve } = Promise.withResolvers<never>()
    server.on(setTicketLink, () => promise)
    await link()
    await choose(next)
    resolve(answer as never)
  }
  await choose('First')
  await linkAndChoose(new Refusal(503, { error: 'Busy', code: 'unavailable' }), 'Second')
  await within(await screen.findByRole('region', { name: 'Messages' })).findByText('Busy')
  expect(field.value).toBe('OPS-18 Second')
  await linkAndChoose({ Success: 1, idLink: 1 }, 'First')
  await screen.findByText('Link added')
  expect(field.value).toBe('OPS-17 First')
  await link()
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Ticket' })).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'ADD LINK' }))
  expect(server.sentTo(setTicketLink).map(({ input }) => (input as { idOther: number }).idOther)).toEqual([17, 18, 17])
})
