import { createUser } from '@tessera/contract/people/users'
import { getProjectList } from '@tessera/contract/projects/projects'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a new user needs login and e-mail; the welcome mail needs an address to go to [3.20] [5.9] [5.10] [5.11]', async () => {
  const server = fakeServer()
  server.on(getProjectList, () => [])
  server.on(createUser, () => ({ Success: 1, idUser: 9 }))
  const onClose = vi.fn()
  const { user } = show(<NewUserDialog onClose={onClose} />)
  const welcome = screen.getByLabelText<HTMLInputElement>(/^Send a welcome mail/)
  expect(welcome.disabled).toBe(true)
  await user.type(screen.getByLabelText('Login Name'), '   ')
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await screen.findByText('Enter a login name')
  screen.getByText('Enter an email address')
  await user.type(screen.getByLabelText('Email Address'), 'ada')
  expect(welcome.disabled).toBe(false)
  expect(welcome.checked).toBe(true)
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await screen.findByText('Enter a valid email address')
  await user.clear(screen.getByLabelText('Email Address'))
  expect(welcome.disabled).toBe(true)
  expect(welcome.checked).toBe(false)
  await user.type(screen.getByLabelText('Email Address'), 'ada@example.com')
  await user.type(screen.getByLabelText('Login Name'), 'ada ')
  expect(server.sentTo(createUser)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.sentTo(createUser)[0]?.input).toEqual({ LoginName: 'ada', Email: 'ada@example.com', SendWelcome: 1, ProjectAssign: [] })
})

test('a taken login name is shown at its field, and the check box comes before the projects', async () => {
  const server = fakeServer()
  server.on(getProjectList, () => [])
  server.on(createUser, () => new Refusal(422, { Success: 0, error: 'This login name is taken', code: 'duplicate' }))
  const { user } = show(<NewUserDialog onClose={vi.fn()} />)
  const order = screen.getByLabelText(/^Send a welcome mail/).compareDocumentPosition(screen.getByLabelText('Project Assignment'))
  expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  const login = screen.getByLabelText<HTMLInputElement>('Login Name')
  await user.type(login, 'ada')
  await user.type(screen.getByLabelText('Email Address'), 'ada@example.com')
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await screen.findByText('This login name is taken')
  expect(document.activeElement).toBe(login)
  expect(login.value).toBe('ada')
  expect(login.getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(login, '2')
  expect(screen.queryByText('This login name is taken')).toBeNull()
})

/** The dialog, with a server that has one project and creates every user. */
function openForMany() {
  const server = fakeServer()
  server.on(getProjectList, () => [{ idProject: 4, Title: 'Titanium', ShortCode: 'TI' }])
  server.on(createUser, () => ({ Success: 1, idUser: 9 }))
  const onClose = vi.fn()
  const { user } = show(<NewUserDialog onClose={onClose} />)
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
  const fill = async (login: string) => {
    await user.type(field('Login Name'), login)
    await user.type(field('Email Address'), `${login}@example.com{Enter}`)
  }
  return { server, user, onClose, field, fill }
}

test('the dialog stays open for the next person if wanted: projects stay chosen, and it says who was added', async () => {
  const { server, user, onClose, field, fill } = openForMany()
  await user.click(screen.getByRole('switch', { name: 'Keep open for the next person' }))
  await user.click(screen.getByLabelText('Project Assignment'))
  await user.click(await screen.findByRole('option', { name: 'Titanium' }))
  await user.type(field('Full Name'), 'Ada Novak')
  await fill('ada')
  await screen.findByText('Added: ada')
  expect(document.activeElement).toBe(field('Login Name'))
  for (const label of ['Login Name', 'Email Address', 'Greeting Name', 'Full Name']) expect(field(label).value).toBe('')
  await fill('bo')
  await screen.findByText('Added: ada, bo')
  const [ada, bo] = server.sentTo(createUser)
  expect(ada?.input).toEqual({ LoginName: 'ada', Email: 'ada@example.com', Real: 'Ada Novak', SendWelcome: 1, ProjectAssign: [4] })
  expect(bo?.input).toEqual({ LoginName: 'bo', Email: 'bo@example.com', SendWelcome: 1, ProjectAssign: [4] })
  expect(bo?.headers.get('idempotency-key')).not.toBe(ada?.headers.get('idempotency-key'))
  // Nothing is typed: Escape does not ask.
  expect(onClose).not.toHaveBeenCalled()
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

test('after a refusal or a lost answer the person stays, and what is typed before the answer is kept for the next one', async () => {
  const { server, user, onClose, field, fill } = openForMany()
  await user.click(screen.getByRole('switch', { name: 'Keep open for the next person' }))
  server.on(createUser, () => new Refusal(422, { Success: 0, error: 'This login name is taken', code: 'duplicate' }))
  await fill('ada')
  await screen.findByText('This login name is taken')
  expect(field('Email Address').value).toBe('ada@example.com')
  expect(screen.queryByText(/^Added/)).toBeNull()

  const answered = Promise.withResolvers<{ Success: 1; idUser: number }>()
  server.on(createUser, () => answered.promise)
  await user.type(field('Login Name'), '2{Enter}')
  await user.clear(field('Email Address'))
  await user.type(field('Email Address'), 'bo@example.com')
  answered.resolve({ Success: 1, idUser: 9 })
  await screen.findByText('Added: ada2')
  expect(field('Login Name').value).toBe('')
  expect(field('Email Address').value).toBe('bo@example.com')
  await user.keyboard('{Escape}')
  await screen.findByText('Discard what you typed?')
  expect(onClose).not.toHaveBeenCalled()
})
