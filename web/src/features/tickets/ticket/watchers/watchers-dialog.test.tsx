import { useQuery } from '@tanstack/react-query'
import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { WatchersDialog } from './watchers-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Page() {
  const { data } = useQuery(callQuery(getTicketData, { idTicket: 7 }))
  return data && <WatchersDialog ticket={data} onClose={() => {}} />
}

test('the tick of a watcher whom somebody else removed disappears, also one that was set here', async () => {
  const server = fakeServer()
  let Watchers: { idUser: number; Name: string }[] = []
  server.on(getTicketData, () => ({ ...plainTicket, Watchers }))
  server.on(getProjectUserList, () => [{ id: 8, text: 'Aiko Tan' }])
  server.on(setTicketWatcher, () => {
    Watchers = [{ idUser: 8, Name: 'Aiko Tan' }]
    return { Success: 1 }
  })
  const { user, client } = show(
    <>
      <Page />
      <Toaster />
    </>,
  )
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Aiko Tan' })
  await user.click(box)
  await waitFor(() => expect(client.isMutating() + client.isFetching()).toBe(0))
  expect(box.checked).toBe(true)
  Watchers = []
  await act(() => client.refetchQueries())
  await waitFor(() => expect(box.checked).toBe(false))
  // A refused one too, and it says why.
  server.on(setTicketWatcher, () => new Refusal(422, { error: 'You may not do that', code: 'permission' }))
  await user.click(box)
  await screen.findByText('You may not do that')
  expect(box.checked).toBe(false)
  const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  await user.type(screen.getByRole('searchbox'), 'tan')
  await waitFor(() => expect(said()).toEqual(['', '1 found']))
  await user.type(screen.getByRole('searchbox'), 'x')
  await waitFor(() => expect(said()).toEqual(['Nobody here is called “tanx”.', '']))
})
