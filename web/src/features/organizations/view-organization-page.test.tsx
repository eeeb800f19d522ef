import { getOrganizationData, getOrganizationMemberCandidates, setOrganizationMember } from '@tessera/contract/people/organizations'
import { getUserAccess } from '@tessera/contract/people/users'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { showPages } from '../../../test/show.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { ViewOrganizationPage } from './view-organization-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a title that is being typed stays when somebody else renames the organization', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  let Title = 'Titanium'
  server.on(getOrganizationData, () => ({ idOrganization: 3, Title, Projects: [], Members: [], Editable: 1 }))
  const { user, client } = showPages([{ path: '/view-organization/:id', Component: ViewOrganizationPage }], '/view-organization/3')
  await user.click(await screen.findByRole('button', { name: 'Rename the organization' }))
  await user.type(screen.getByRole('textbox', { name: 'Title' }), ' Works')
  Title = 'Tungsten'
  await act(() => client.refetchQueries())
  await screen.findByRole('heading', { level: 1, name: 'Tungsten' })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Titanium Works')
})

test('of many members the first are shown, and each is found by a search for login or name', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const Members = Array.from({ length: 1300 }, (_, index) => ({
    idUser: index + 1,
    LoginName: `p${index + 1}`,
    FullName: index === 1200 ? '山田花子' : '',
    Admin: 0 as const,
    Manager: 0 as const,
  }))
  server.on(getOrganizationData, () => ({ idOrganization: 3, Title: 'Titanium', Projects: [], Members, Editable: 1 }))
  const { user } = showPages([{ path: '/view-organization/:id', Component: ViewOrganizationPage }], '/view-organization/3')
  const logins = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect(await screen.findByRole('checkbox', { name: 'Organisation Admin: p20' })).toBeTruthy()
  expect(logins()).toHaveLength(20)
  await user.click(screen.getByRole('button', { name: 'SHOW MORE (1,280)' }))
  expect(logins()).toHaveLength(120)
  await user.type(screen.getByRole('searchbox', { name: 'Search members' }), '花子')
  expect(logins()).toEqual(['p1201山田花子'])
  expect(screen.getByRole('checkbox', { name: 'Organisation Admin: p1201' })).toBeTruthy()
})

test('ADD MEMBER says of a member that they are one, and what is refused has the focus', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const Members = [{ idUser: 5, LoginName: 'ada', FullName: '', Admin: 0, Manager: 0 }] as const
  server.on(getOrganizationData, () => ({ idOrganization: 3, Title: 'Titanium', Projects: [], Members, Editable: 1 }))
  server.on(getOrganizationMemberCandidates, () => [])
  server.on(setOrganizationMember, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  const { user } = showPages([{ path: '/view-organization/:id', Component: ViewOrganizationPage }], '/view-organization/3')
  const field = await screen.findByRole('combobox', { name: 'Login name of a new member' })
  const add = screen.getByRole('button', { name: 'ADD MEMBER' })
  await user.click(add)
  expect(document.activeElement).toBe(field)
  await user.type(field, ' Ada')
  await user.click(add)
  await screen.findByText('Ada is a member already')
  expect(document.activeElement).toBe(field)
  expect(server.sentTo(setOrganizationMember)).toEqual([])
  await user.clear(field)
  await user.type(field, 'bob')
  await user.click(add)
  await screen.findByText('Nobody has this login name')
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('a login leads to what the person may do, and the dialog leaves no trace in the address', async () => {
  enterSession(signedIn({ orgperms: ['Organisation Admin'] }))
  const server = fakeServer()
  const Members = [{ idUser: 5, LoginName: 'ada', FullName: '', Admin: 0, Manager: 0 }] as const
  server.on(getOrganizationData, ({ idOrganization }) => ({ idOrganization, Title: 'Titanium', Projects: [], Members, Editable: 1 }))
  server.on(getUserAccess, () => ({ Active: 1, Super: 0, Admin: 0, Manager: 0, Projects: [], Total: 0, NextCursor: null }))
  const pages = [{ path: '/view-organization/:id', Component: ViewOrganizationPage }]
  const { user } = showPages(pages, '/view-organization/3')
  const login = await screen.findByRole('link', { name: 'ada' })
  const entries = window.history.length
  await user.click(login)
  await screen.findByRole('dialog', { name: 'What ada may do' })
  expect(window.location.search).toBe('?member=5')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(window.location.search).toBe('')
  expect(window.history.length).toBe(entries)
  expect(document.activeElement).toBe(login)

  // Another organization's people are not the session's.
  cleanup()
  showPages(pages, '/view-organization/4?member=5')
  await screen.findByText('ada')
  expect(screen.queryByRole('link', { name: 'ada' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a page that is loading says so', async () => {
  enterSession(signedIn())
  fakeServer().on(getOrganizationData, () => new Promise<never>(() => {}))
  showPages([{ path: '/view-organization/:id', Component: ViewOrganizationPage }], '/view-organization/3')
  expect((await screen.findByRole('status')).textContent).toBe('Loading the organization')
})
