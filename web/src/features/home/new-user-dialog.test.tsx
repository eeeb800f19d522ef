import { getProjectList } from '@tessera/contract/projects'
import { createUser } from '@tessera/contract/users'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../test/fake-server.ts'
import { show } from '../../../test/show.tsx'
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
  const welcome = screen.getByLabelText<HTMLInputElement>('Send a welcome mail')
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
