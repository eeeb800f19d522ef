import { getUserEditData, setUserActive, setUserDataAdmin } from '@tessera/contract/people/users'
import { getProjectList, restoreProjectMember } from '@tessera/contract/projects/projects'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { AccountActions } from './account-actions.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(Login = 'ada') {
  enterSession(signedIn({ orgname: 'Northwind' }))
  const server = fakeServer()
  server.on(getProjectList, () => [
    { idProject: 1, Title: 'Titanium', ShortCode: 'TI' },
    { idProject: 2, Title: 'Alloy', ShortCode: 'AL' },
    { idProject: 3, Title: 'Bronze', ShortCode: 'BR' },
  ])
  server.on(getUserEditData, () => ({
    Login,
    FullName: 'Ada Novak',
    GivenName: 'Ada',
    Email: 'ada@example.com',
    ProjectMembership: [2, 1],
  }))
  server.on(setUserDataAdmin, () => ({ Success: 1 }))
  const onClose = vi.fn()
  const { user, client } = show(
    <>
      <EditUserDialog idUser={7} onClose={onClose} />
      <Toaster />
    </>,
  )
  await screen.findByDisplayValue(Login)
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'SAVE' })
  const field = (label: string) => screen.getByLabelText(label)
  return { server, user, client, onClose, save, field }
}

test('SAVE needs a change, a login that is not blank and a valid e-mail if there is one [5.1] [5.2] [5.3] [5.5]', async () => {
  const { user, save, field } = await open()
  screen.getByText('Northwind')
  expect(save().disabled).toBe(true)
  await user.type(field('Full Name'), '  ')
  expect(save().disabled).toBe(true)
  await user.clear(field('Full Name'))
  expect(save().disabled).toBe(false)
  // Escape asks before it drops the change.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  await user.clear(field('Login Name'))
  await user.type(field('Login Name'), '  ')
  expect(save().disabled).toBe(true)
  await user.type(field('Login Name'), 'ada')
  expect(save().disabled).toBe(false)
  await user.clear(field('Email Address'))
  await user.type(field('Email Address'), 'ada@')
  expect(save().disabled).toBe(true)
  screen.getByText('Enter a valid email address')
  await user.clear(field('Email Address'))
  expect(save().disabled).toBe(false)
})

test('sends the id and only what changed [3.18] [3.19] [8.6]', async () => {
  const { server, user, onClose, save, field } = await open()
  await user.clear(field('Greeting Name'))
  await user.type(field('Greeting Name'), ' Addy ')
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.sentTo(setUserDataAdmin).map(({ input }) => input)).toEqual([{ idUser: 7, GreetingName: 'Addy' }])
  await screen.findByText('User updated')
})

test('membership is compared without order [5.4]', async () => {
  const { user, save, field } = await open()
  await user.click(field('Project Membership'))
  await user.click(screen.getByRole('option', { name: 'Titanium' }))
  expect(save().disabled).toBe(false)
  screen.getByText('In a project that they leave, their roles on its tickets end too.')
  await user.click(screen.getByRole('option', { name: 'Titanium' }))
  expect(save().disabled).toBe(true)
  expect(screen.queryByText(/^In a project that they leave/)).toBeNull()
})

test('only an admin is offered to see what the person may do', async () => {
  await open()
  expect(screen.queryByRole('button', { name: 'SHOW PERMISSIONS' })).toBeNull()
})

test('projects are sent with the list they were chosen from, also when it is loaded anew', async () => {
  const { server, user, client, save, field } = await open()
  await user.click(field('Project Membership'))
  await user.click(screen.getByRole('option', { name: 'Bronze' }))
  await user.keyboard('{Escape}')
  server.on(getUserEditData, () => ({
    Login: 'ada',
    FullName: 'Ada Byron',
    GivenName: 'Ada',
    Email: 'ada@example.com',
    ProjectMembership: [2],
  }))
  await client.invalidateQueries()
  await screen.findByDisplayValue('Ada Byron')
  await user.click(save())
  await waitFor(() =>
    expect(server.sentTo(setUserDataAdmin).map(({ input }) => input)).toEqual([
      { idUser: 7, ProjectMembership: [2, 3], MembershipBefore: [2] },
    ]),
  )
})

test('a refusal and a broken server read differently [8.7] [8.8]', async () => {
  const { server, user, onClose, save, field } = await open()
  server.on(setUserDataAdmin, () => new Refusal(422, { Success: 0, error: 'This login is taken', code: 'duplicate' }))
  await user.type(field('Login Name'), '2')
  await user.click(save())
  const message = await screen.findByText('An error occurred saving changes')
  // What a dialog says while it is open is heard, and can be dismissed.
  expect(message.closest('[inert], [aria-hidden=true]')).toBe(null)
  screen.getByText('This login is taken')
  server.on(setUserDataAdmin, () => new Refusal(500))
  await user.click(save())
  await screen.findByText('A page access error occurred saving changes')
  server.on(setUserDataAdmin, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  await user.click(save())
  await screen.findByText(
    'This user was deleted meanwhile, or you no longer have access. What you typed stays here until you close the dialog.',
  )
  expect(onClose).not.toHaveBeenCalled()
})

test('UNDO restores a removed project with the person’s rights there; without a removal there is no UNDO', async () => {
  const { server, user, onClose, save, field } = await open()
  server.on(restoreProjectMember, () => ({ Success: 1, idProjectMember: 31, Withheld: [] }))
  await user.click(field('Project Membership'))
  await user.click(screen.getByRole('option', { name: 'Titanium' }))
  await user.keyboard('{Escape}')
  await user.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  await screen.findByText('ada has left 1 project')
  fireEvent.click(screen.getByText('UNDO'))
  await screen.findByText('ada is back in 1 project')
  expect(server.sentTo(restoreProjectMember).map(({ input }) => input)).toEqual([{ idProject: 1, idUser: 7 }])
})

test('a failed load is shown in the dialog and can be retried', async () => {
  const server = fakeServer()
  const broken = () => new Refusal(503, { error: 'The database is away', code: 'unavailable' })
  server.on(getUserEditData, broken)
  server.on(getProjectList, broken)
  const { user } = show(<EditUserDialog idUser={7} onClose={() => undefined} />)
  await screen.findByText('The database is away')
  server.on(getUserEditData, () => ({ Login: 'ada', FullName: '', GivenName: '', Email: '', ProjectMembership: [] }))
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByDisplayValue('ada')
  // Next the projects: the rest of the form can be used meanwhile.
  await screen.findByText('The database is away')
  server.on(getProjectList, () => [])
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await waitFor(() => expect(screen.queryByText('The database is away')).toBeNull())
})

test('a login from before the rules for new ones stays as it is while the rest is edited', async () => {
  const { user, save, field, server } = await open('ad\u0430')
  await user.type(field('Greeting Name'), 'x')
  await user.click(save())
  await waitFor(() => expect(server.sentTo(setUserDataAdmin).map(({ input }) => input)).toEqual([{ idUser: 7, GreetingName: 'Adax' }]))
})

test('an account that could not be deactivated stays active, and the page says why', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(setUserActive, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  const { user } = show(
    <>
      <AccountActions idUser={99} login="ada" email="ada@example.com" account={{ Active: 1, HasPassword: 1 }} />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'DEACTIVATE' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'DEACTIVATE' }))
  await screen.findByText('Busy')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})
