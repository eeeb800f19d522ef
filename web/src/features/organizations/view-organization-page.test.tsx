import { getOrganizationData } from '@tessera/contract/people/organizations'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../test/fake-server.ts'
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
