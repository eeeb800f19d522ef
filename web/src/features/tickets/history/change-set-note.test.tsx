import type { Response } from '@tessera/contract/call'
import { revertChangeSet } from '@tessera/contract/tickets/bulk'
import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session/session.tsx'

// Loaded with the test: what it waits for is not the first compilation of a part.
import '../changes/revert-dialog.tsx'
import type { Ticket } from '../ticket.ts'
import { TicketHistoryList } from './ticket-history-list.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

type Change = Response<typeof getTicketHistory>['Changes'][number]
const now = Math.floor(Date.now() / 1000)
const days = 24 * 60 * 60
const bulk: NonNullable<Change['Set']> = { What: 'bulk', At: now, Tickets: 30, Reverted: 0, OfTickets: 1 }

async function historyOf(...sets: (Change['Set'] | undefined)[]) {
  enterSession(signedIn())
  const server = fakeServer()
  const Changes = sets.map((set, index): Change => {
    const id = 100 - index
    const change = { DateChanged: now, Author: 'Ada', Field: 'State', Label: 'State', Before: 'Open', After: 'Doing', Restorable: null }
    return { id, idChangeSet: id, ...change, ...(set && { Set: set }) }
  })
  server.on(getTicketHistory, () => ({ Changes, NextCursor: null }))
  const ticket = { idTicket: 5, idProject: 3, pcode: 'ZOO', Permissions: [1], Version: 1 } as unknown as Ticket
  const { user } = await act(async () => show(<TicketHistoryList ticket={ticket} blocked={undefined} />))
  const entries = await screen.findAllByRole('listitem')
  return { server, user, entries: entries as [HTMLElement, ...HTMLElement[]] }
}
const revertIn = (entry: HTMLElement) => within(entry).queryByRole('button', { name: /^REVERT/ })

test('a change says with how many other tickets it was made, and can be reverted for all after a preview', async () => {
  const { server, user, entries } = await historyOf(bulk, undefined)
  expect(entries[0].textContent).toContain('With 29 other tickets')
  expect(entries[1]?.textContent).not.toContain('other tickets')
  expect(entries[1] && revertIn(entries[1])).toBeNull()
  server.on(revertChangeSet, ({ Preview }) =>
    Preview
      ? { Total: 30, Changed: 28, Same: 2, Refused: [], Rows: [], NextCursor: null }
      : { Success: 1, idChangeSet: 200, Changed: 28, Skipped: [] },
  )
  const read = server.sentTo(getTicketHistory).length
  await act(async () => revertIn(entries[0])?.click())
  const dialog = await screen.findByRole('dialog', { name: 'Revert the change of 30 tickets' })
  expect((await within(dialog).findByRole('status')).textContent).toBe('28 tickets change, 2 stay the same.')
  expect(server.sentTo(revertChangeSet).map(({ input }) => input)).toEqual([{ idChangeSet: 100, Preview: 1, Also: [] }])
  await user.click(within(dialog).getByRole('button', { name: 'REVERT' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.sentTo(revertChangeSet).at(-1)?.input).toEqual({ idChangeSet: 100, Also: [] })
  await waitFor(() => expect(server.sentTo(getTicketHistory).length).toBeGreaterThan(read))
})

test('a change that is reverted, too old or not about tickets cannot be reverted; a missing permission disables the action', async () => {
  const { user, entries } = await historyOf(
    { ...bulk, Reverted: 1 },
    { ...bulk, At: now - 91 * days },
    { ...bulk, At: now - 89 * days },
    { ...bulk, What: 'restore', Tickets: 2 },
    { ...bulk, What: 'import', Refused: 'Needs the permission Delete tickets' },
    { ...bulk, What: 'revert', Tickets: 1 },
    // A label was restored, on two tickets or on one: the tickets had never gone.
    { ...bulk, What: 'restore', OfTickets: 0, Tickets: 2 },
    { ...bulk, What: 'restore', OfTickets: 0, Tickets: 1 },
  )
  expect(entries.map(({ textContent }) => textContent.replace(/^.*Doing/, ''))).toEqual([
    'With 29 other tickets, reverted',
    'With 29 other tickets',
    'With 29 other ticketsREVERT…',
    'Restored with 1 other ticketREVERT…',
    'Imported with 29 other ticketsREVERT…',
    'Reverted an earlier changeREVERT…',
    'With 1 other ticket',
    '',
  ])
  const [, , recent, , refused] = entries.map(revertIn)
  expect(recent).toHaveProperty('disabled', false)
  expect(refused).toHaveProperty('disabled', true)
  await user.hover(refused?.parentElement as HTMLElement)
  expect((await screen.findByRole('tooltip')).textContent).toBe('Needs the permission Delete tickets')
})
