import { getTicketTrash, purgeTicket, restoreTicket } from '@tessera/contract/tickets/moving'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { TrashDialog } from './trash-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the buttons name their tickets, and the focus goes on to the next row, at last to CLOSE', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  let trash = [1, 2].map(id => ({ id, pcode: 'ZOO', Type: 'Bug', Title: `Ticket ${id}`, DateTrashed: 1e9, TrashedBy: 'Ada', Tickets: 1 }))
  server.on(getTicketTrash, () => trash)
  server.on(restoreTicket, ({ idTicket }) => {
    trash = trash.filter(({ id }) => id !== idTicket)
    return { Success: 1, Tickets: 1 }
  })
  const { user } = show(<TrashDialog idProject={3} onClose={() => undefined} />)
  await screen.findByRole('button', { name: 'DELETE FOREVER ZOO-2' })
  for (const [pressed, next] of [
    ['RESTORE ZOO-1', 'RESTORE ZOO-2'],
    ['RESTORE ZOO-2', 'CLOSE'],
  ] as const) {
    screen.getByRole('button', { name: pressed }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: next })))
    expect(screen.queryByRole('button', { name: pressed })).toBeNull()
  }
})

test('a ticket that is neither restored nor deleted stays in the trash, and the page says why', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const ticket = { id: 1, pcode: 'ZOO', Type: 'Bug', Title: 'Ticket', DateTrashed: 1e9, TrashedBy: 'Ada', Tickets: 1 }
  server.on(getTicketTrash, () => [ticket])
  server.on(restoreTicket, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  server.on(purgeTicket, () => new Refusal(422, { error: 'Its attachments are in use', code: 'refused' }))
  const { user } = show(
    <>
      <TrashDialog idProject={3} onClose={() => undefined} />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'RESTORE ZOO-1' }))
  await screen.findByText('Busy')
  await user.click(screen.getByRole('button', { name: 'DELETE FOREVER ZOO-1' }))
  await user.click(await screen.findByRole('button', { name: 'DELETE FOREVER' }))
  await screen.findByText('Its attachments are in use')
})
