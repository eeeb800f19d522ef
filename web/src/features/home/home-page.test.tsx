import { getOrganizationList } from '@tessera/contract/people/organizations'
import type { SignedIn } from '@tessera/contract/people/session'
import { getUserList } from '@tessera/contract/people/users'
import { getProjectList } from '@tessera/contract/projects/projects'
import { searchTickets } from '@tessera/contract/tickets/search'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { plainRow } from '../../../test/ticket.ts'
import { refetchAfter } from '../../lib/calls/live/refetch-after.ts'
import { enterSession } from '../../lib/session/session.tsx'
import { HomePage } from './home-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answer: Partial<SignedIn>) {
  enterSession(signedIn(answer))
  const server = fakeServer()
  server.on(getProjectList, () => [])
  server.on(getOrganizationList, () => [])
  server.on(getUserList, () => [])
  show(<HomePage />)
  const has = (name: string) => screen.queryByRole('button', { name }) !== null
  return {
    tiles: screen.getAllByRole('region').map(tile => tile.querySelector('h2')?.textContent),
    buttons: ['NEW PROJECT', 'NEW ORGANIZATION', 'NEW USER'].filter(has),
  }
}
const projects = 'Project list'
const organizations = 'Organization list'
const users = 'User Management'
const admin = { orgperms: ['Organisation Admin'] }

test.each([
  ['a member', {}, [projects], []],
  ['an organization admin', admin, [projects, users], ['NEW PROJECT', 'NEW USER']],
  ['an organization manager', { managedorgs: 1 }, [projects, organizations, users], []],
  ['a super user', { super: 1, ...admin }, [projects, organizations, users], ['NEW PROJECT', 'NEW ORGANIZATION', 'NEW USER']],
  ['somebody whose permission only resembles it', { orgperms: ['organisation admin'] }, [projects], []],
  ['somebody without an organization', { orgname: '', managedorgs: 1 }, [organizations, users], []],
] as const)(
  '%s sees the tiles and buttons of their rank [2.23] [2.24] [2.26] [2.27] [2.29] [2.32] [6.1] [6.2] [6.3]',
  (_who, answer, tiles, buttons) => {
    expect(open({ ...answer, orgperms: [...('orgperms' in answer ? answer.orgperms : [])] })).toEqual({ tiles, buttons })
  },
)

test('says so where there is nothing [2.25] [2.28]', async () => {
  open({ super: 1 })
  await screen.findByText("You don't have any projects. Go ahead and create a new one to get started.")
  await screen.findByText('There are no organizations to show.')
})

test('a project says how much is open in it and how much of that is mine; a person has a name beside the login', async () => {
  enterSession(signedIn(admin))
  const server = fakeServer()
  server.on(getProjectList, ({ Counts }) => [
    { idProject: 1, Title: 'Titanium', ShortCode: 'TI', ...(Counts && { Open: 1204, Mine: 3 }) },
    { idProject: 2, Title: 'Alloy', ShortCode: 'AL', ...(Counts && { Open: 7, Mine: 0 }) },
    { idProject: 3, Title: 'Iron', ShortCode: 'IR', ...(Counts && { Open: 0, Mine: 0 }) },
  ])
  server.on(getUserList, ({ Names }) => [
    { id: 4, LoginName: 'ada', ...(Names && { FullName: 'Ada Novak' }) },
    { id: 5, LoginName: 'bo', ...(Names && { FullName: '' }) },
  ])
  const { client } = show(<HomePage />)
  const rows = async (label: string) => [...(await screen.findByRole('list', { name: label })).children].map(row => row.textContent)
  expect(await rows('projects')).toEqual(['Titanium1,204 open · 3 assigned to youTI', 'Alloy7 openAL', 'IronNo open ticketsIR'])
  expect(await rows('users')).toEqual(['ANadaAda Novak', 'BObo'])
  // The numbers follow what others do.
  server.on(getProjectList, () => [{ idProject: 1, Title: 'Titanium', ShortCode: 'TI', Open: 1205, Mine: 3 }])
  refetchAfter(client, { idProject: 1, kind: 'create-new-ticket' })
  await waitFor(async () => expect(await rows('projects')).toEqual(['Titanium1,205 open · 3 assigned to youTI']))
})

test('the lists of tickets for the day come after the tiles, each with a link to all its tickets', async () => {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'TI', Title: 'Titanium' }] }))
  const server = fakeServer()
  const tiles = Promise.withResolvers<{ idProject: number; Title: string; ShortCode: string }[]>()
  server.on(getProjectList, () => tiles.promise)
  server.on(searchTickets, ({ Query }) => ({
    Tickets: Query.includes('due:')
      ? [
          { ...found, id: 8, Title: 'Renew the certificate' },
          { ...found, id: 9, idProject: 2, Title: 'Sell the press' },
        ]
      : [],
    NextCursor: null,
    Total: Query.includes('due:') ? 31 : 0,
    TotalIsExact: 1,
  }))
  show(<HomePage />)
  await waitFor(() => expect(server.sentTo(getProjectList)).toHaveLength(1))
  expect(server.sentTo(searchTickets)).toHaveLength(0)
  tiles.resolve([{ idProject: 1, Title: 'Titanium', ShortCode: 'TI' }])
  const late = await screen.findByRole('link', { name: 'Late' })
  expect(late.getAttribute('href')).toBe('/search?q=is%3Aopen+due%3A%3Ctoday+sort%3Adue')
  expect((await screen.findByRole('link', { name: /Renew the certificate/ })).getAttribute('href')).toBe('/view-ticket/8')
  // Those of an archived project cannot be changed, which is said.
  await screen.findByRole('link', { name: /Sell the press.*archived project/ })
  expect(screen.getAllByRole('link', { name: /archived project/ })).toHaveLength(1)
  expect(screen.getByText('31')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: /^Show all/ }).map(link => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Show all 31', late.getAttribute('href')],
  ])
  for (const text of [
    'No open tickets are assigned to you',
    'You are not watching any open tickets',
    'Nothing has changed in the last 7 days',
  ])
    await screen.findByText(text)
})

test('the lists of tickets wait for each other, so that none of them moves', async () => {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'TI', Title: 'Titanium' }] }))
  const server = fakeServer()
  const nothing = { Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 as const }
  const late = Promise.withResolvers<typeof nothing>()
  server.on(getProjectList, () => [{ idProject: 1, Title: 'Titanium', ShortCode: 'TI' }])
  server.on(searchTickets, ({ Query }) => (Query.includes('due:') ? late.promise : nothing))
  show(<HomePage />)
  const watching = await screen.findByText('You are not watching any open tickets')
  expect(watching.closest('[data-waiting]')).not.toBeNull()
  late.resolve(nothing)
  await screen.findByText('Nothing is late')
  expect(watching.closest('[data-waiting]')).toBeNull()
})

test('at midnight the lists are read again: what was due yesterday is late', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date(2026, 10, 20, 23, 59, 30) })
  onTestFinished(() => void vi.useRealTimers())
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'TI', Title: 'Titanium' }] }))
  const server = fakeServer()
  server.on(getProjectList, () => [{ idProject: 1, Title: 'Titanium', ShortCode: 'TI' }])
  server.on(searchTickets, () => ({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 as const }))
  show(<HomePage />)
  await vi.waitFor(() => expect(server.sentTo(searchTickets)).toHaveLength(4))
  await screen.findByText('Nothing is late')
  act(() => void vi.advanceTimersByTime(60_000))
  await vi.waitFor(() => expect(server.sentTo(searchTickets)).toHaveLength(8))
})

test('a list of projects that cannot be loaded says so and leaves the lists of tickets', async () => {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'TI', Title: 'Titanium' }] }))
  const server = fakeServer()
  server.on(getProjectList, () => new Refusal(500, { error: 'Something went wrong', code: 'internal' }))
  server.on(searchTickets, () => ({ Tickets: [found], NextCursor: null, Total: 1, TotalIsExact: 1 }))
  show(<HomePage />)
  expect(await screen.findAllByRole('link', { name: /Crash/ })).toHaveLength(4)
  const projects = within(screen.getByRole('region', { name: 'Project list' }))
  projects.getByText('Something went wrong')
  projects.getByRole('button', { name: 'TRY AGAIN' })
})

const found = { ...plainRow, idProject: 1, pcode: 'TI' }
