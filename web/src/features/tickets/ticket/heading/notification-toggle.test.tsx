import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { NotificationToggle } from './notification-toggle.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Page() {
  const { data } = useQuery(callQuery(getTicketData, { idTicket: 7 }))
  return data && <NotificationToggle ticket={data} />
}

test('the bell changes with the answer, not only when the ticket has been read again', async () => {
  const server = fakeServer()
  server.on(getTicketData, () => ({ ...plainTicket, NotificationSubscription: 0 }))
  server.on(setTicketNotification, () => ({ Success: 1 }))
  const { user } = show(<Page />)
  const bell = await screen.findByRole('button', { name: messages.notificationsDisabled })
  server.on(getTicketData, () => new Promise<never>(() => {}))
  await user.click(bell)
  await screen.findByRole('button', { name: messages.notificationsEnabled })
  await user.click(bell)
  await waitFor(() =>
    expect(server.sentTo(setTicketNotification).map(({ input }) => input)).toEqual([
      { idTicket: 7, Notify: 1 },
      { idTicket: 7, Notify: 0 },
    ]),
  )
})

test('on a touch screen, which shows no tooltip, a message says what the bell did', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(hover: none)',
    addEventListener() {},
    removeEventListener() {},
  }))
  const server = fakeServer()
  server.on(getTicketData, () => ({ ...plainTicket, NotificationSubscription: 0 }))
  server.on(setTicketNotification, () => ({ Success: 1 }))
  const { user } = show(
    <>
      <Page />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: messages.notificationsDisabled }))
  await screen.findByText(messages.notificationsEnabled)
})
