import { allPermissions, permission } from '@tessera/contract/permissions'
import { getPermissionTypes, getUserPermissions, setUserPermission, setUserPermissions } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { UserPermissionsCard } from './user-permissions-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('many members are shown in parts, and all of them are searched', async () => {
  const rights = { idProject: 1, held: [permission.managePermissions], frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  server.on(getPermissionTypes, () => [{ id: 1, Description: 'View tickets' }])
  server.on(getUserPermissions, () =>
    Array.from({ length: 120 }, (_, index) => ({ id: index + 1, Login: `person${index + 1}`, Permissions: [1] })),
  )
  show(<UserPermissionsCard rights={rights} />)

  await screen.findByText('person1')
  const rows = () => screen.getAllByRole('rowheader').length
  expect(rows()).toBe(20)
  fireEvent.click(screen.getByRole('button', { name: 'SHOW MORE (100)' }))
  expect(rows()).toBe(120)
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search users' }), { target: { value: 'PERSON120' } })
  expect(screen.getAllByRole('rowheader').map(row => row.textContent)).toEqual(['person120'])
  expect(screen.queryByRole('button', { name: /SHOW MORE/ })).toBeNull()
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search users' }), { target: { value: 'nobody' } })
  screen.getByText('No user matches')
})

test('the reason why a preset is disabled is shown on hover and on focus; presets are offered while a member is selected', async () => {
  const rights = { idProject: 1, held: [permission.managePermissions], frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  server.on(getPermissionTypes, () => [{ id: 1, Description: 'View tickets' }])
  server.on(getUserPermissions, () => [{ id: 1, Login: 'ada', Permissions: [] }])
  const { client } = show(<UserPermissionsCard rights={rights} />)
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select ada' }))
  const [preset] = screen.getAllByRole('group', { name: /^You do not hold .+, so you can neither grant nor revoke it$/ })
  expect(preset?.tabIndex).toBe(0)
  // The presets go when the selected member is removed from the project.
  server.on(getUserPermissions, () => [{ id: 2, Login: 'ben', Permissions: [] }])
  await act(() => client.invalidateQueries())
  await screen.findByRole('checkbox', { name: 'Select ben' })
  expect(screen.queryByRole('region', { name: 'Selected users' })).toBeNull()
})

test('UNDO of a preset is offered only to somebody who still holds what it took', async () => {
  const rights = { idProject: 1, held: allPermissions, frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [...allPermissions] }] }))
  const server = fakeServer()
  server.on(getPermissionTypes, () => [{ id: 1, Description: 'View tickets' }])
  server.on(getUserPermissions, () => [{ id: 1, Login: 'ada', Permissions: [...allPermissions] }])
  server.on(setUserPermissions, () => ({ Success: 1, Before: [{ idProjectMember: 1, Permissions: [...allPermissions] }] }))
  const { user } = show(
    <>
      <UserPermissionsCard rights={rights} />
      <Toaster />
    </>,
  )
  const apply = async (left: readonly number[]) => {
    server.on(getProjectData, () => ({ idProject: 1, Permissions: [...left] }) as never)
    await user.click(await screen.findByRole('checkbox', { name: 'Select ada' }))
    await user.click(screen.getByRole('button', { name: 'Viewer' }))
  }
  await apply([permission.viewTickets])
  await screen.findByText('You do not hold Create tickets anymore: somebody who does has to undo this')
  expect(screen.queryByRole('button', { name: 'UNDO' })).toBeNull()
  await apply(allPermissions)
  await user.click(await screen.findByRole('button', { name: 'UNDO' }))
  // The server refuses it if somebody has changed the member since.
  const Members = [{ idProjectMember: 1, Permissions: [...allPermissions], Before: [permission.viewTickets] }]
  await waitFor(() => expect(server.sentTo(setUserPermissions).at(-1)?.input).toEqual({ idProject: 1, Members }))
})

test('a permission or preset that was not set is said, and the box shows what the member holds', async () => {
  const rights = { idProject: 1, held: allPermissions, frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [...allPermissions] }] }))
  const server = fakeServer()
  server.on(getPermissionTypes, () => [{ id: 1, Description: 'View tickets' }])
  server.on(getUserPermissions, () => [{ id: 1, Login: 'ada', Permissions: [] }])
  server.on(setUserPermission, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  server.on(setUserPermissions, () => new Refusal(422, { error: 'Not you', code: 'refused' }))
  const { user } = show(
    <>
      <UserPermissionsCard rights={rights} />
      <Toaster />
    </>,
  )
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'View tickets: ada' })
  await user.click(box)
  await screen.findByText(/Permissions failed to update/)
  expect(box.checked).toBe(false)
  await user.click(screen.getByRole('checkbox', { name: 'Select ada' }))
  await user.click(screen.getByRole('button', { name: 'Viewer' }))
  await screen.findByText(/Permissions update failed/)
})
