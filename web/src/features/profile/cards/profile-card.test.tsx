import { messages } from '@tessera/contract/messages'
import { getUserData, setUserData } from '@tessera/contract/people/profile'
import { endSessions, getSessionList } from '@tessera/contract/people/session'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { ProfilePage } from '../profile-page.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SessionListCard } from './session-list-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const dana = { Email: 'dana@example.com', FullName: 'Dana', GivenName: '', AutoReceiveNotifications: true, CalendarFeeds: [] }

test('SAVE waits for a change and sends no more than that [2.44] [3.22] [5.21]', async () => {
  const server = fakeServer()
  let stored = { Email: 'dana@example.com', FullName: 'Dana Kim', GivenName: 'Dana', AutoReceiveNotifications: true, CalendarFeeds: [] }
  server.on(getUserData, () => stored)
  server.on(setUserData, input => {
    stored = { ...stored, ...input }
    return { Success: 1 }
  })
  const { user } = show(<ProfileCard />)
  const name = await screen.findByLabelText('Full name')
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'SAVE' })
  expect(screen.getByLabelText<HTMLInputElement>('Email').readOnly).toBe(true)
  expect(save.disabled).toBe(true)
  await user.type(name, 'x')
  expect(save.disabled).toBe(false)
  await user.type(name, '{Backspace}')
  expect(save.disabled).toBe(true)
  await user.click(screen.getByLabelText('Receive ticket update notifications'))
  await user.click(save)
  // It keeps the focus.
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('true'))
  expect(server.sentTo(setUserData).map(({ input }) => input)).toEqual([{ AutoReceiveNotifications: false }])
})

test('a name is stored, and from then on shown, without blanks around it', async () => {
  const server = fakeServer()
  server.on(getUserData, () => dana)
  server.on(setUserData, () => ({ Success: 1 }))
  const { user } = show(<ProfileCard />)
  const name = await screen.findByLabelText<HTMLInputElement>('Full name')
  await user.type(name, '  ')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await waitFor(() => expect(name.value).toBe('Dana'))
  expect(server.sentTo(setUserData).map(({ input }) => input)).toEqual([{ FullName: 'Dana' }])
})

test('a save that succeeds at the second attempt takes away the message of the first', async () => {
  const server = fakeServer()
  server.on(getUserData, () => dana)
  server.on(setUserData, () => new Refusal(503))
  const { user } = show(
    <>
      <ProfileCard />
      <Toaster />
    </>,
  )
  await user.type(await screen.findByLabelText('Full name'), ' Kim')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText('Failed to save changes')
  server.on(setUserData, () => ({ Success: 1 }))
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findAllByText('Settings saved')
  // By itself it would stay for seven seconds.
  await waitFor(() => expect(screen.queryByText('Failed to save changes')).toBeNull(), { timeout: 3000 })
})

test('what is loading on the profile says so', async () => {
  const server = fakeServer()
  server.on(getUserData, () => new Promise<never>(() => {}))
  server.on(getSessionList, () => new Promise<never>(() => {}))
  show(<ProfilePage />)
  expect((await screen.findAllByRole('status')).map(({ textContent }) => textContent)).toEqual([
    'Loading the account',
    'Loading the sessions',
  ])
})

test('calendar feeds, which need no session, are named with the sessions', async () => {
  enterSession(signedIn({ projects: [{ id: 4, shortcode: 'OPS', Title: 'Ops' }] }))
  const server = fakeServer()
  const feeds = (idProject: number, Title: string, Feeds: number) => ({ idProject, Title, Feeds })
  server.on(getSessionList, () => [])
  server.on(getUserData, () => ({
    ...{ Email: '', FullName: '', GivenName: '', AutoReceiveNotifications: true },
    CalendarFeeds: [feeds(4, 'Ops', 2), feeds(5, 'Left', 1)],
  }))
  show(<ProfilePage />)
  const link = await screen.findByRole('link', { name: 'Ops' })
  expect(link.getAttribute('href')).toBe('/view-project/4?layout=calendar')
  expect(link.parentElement?.textContent).toMatch(/delete it in its calendar: Ops \(2\)$/)
})

test('a session that could not be ended stays in the list, and the page says so', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const session = { Device: '', Address: '10.0.0.1', Organization: 'Northwind', DateCreated: 1e9, LastSeen: 1e9 }
  server.on(getSessionList, () => [
    { ...session, id: 'a', Current: 1 },
    { ...session, id: 'b', Current: 0 },
  ])
  server.on(endSessions, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  const { user } = show(
    <>
      <SessionListCard />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'SIGN OUT EVERYWHERE' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'SIGN OUT EVERYWHERE' }))
  await screen.findByText(messages.saveFailed)
  screen.getByText('Busy')
})
