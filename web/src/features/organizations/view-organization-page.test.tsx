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
