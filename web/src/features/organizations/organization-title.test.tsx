import { messages } from '@tessera/contract/messages'
import { setOrganizationData } from '@tessera/contract/people/organizations'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show, showPages } from '../../../test/show.tsx'
import { Toaster } from '../../components/toaster/toaster.tsx'
import { navigate } from '../../lib/navigation/navigation.ts'
import { enterSession } from '../../lib/session/session.tsx'
import { OrganizationTitle } from './organization-title.tsx'

afterEach(cleanup)

test('Back asks before it drops a new title', async () => {
  const organization = { idOrganization: 3, Title: 'Titanium', Projects: [], Members: [], Editable: 1 as const }
  const { user } = showPages([
    { path: '/', Component: () => 'start' },
    { path: '/organization', Component: () => <OrganizationTitle organization={organization} /> },
  ])
  await act(() => navigate('/organization'))
  await user.click(screen.getByRole('button', { name: 'Rename the organization' }))
  await user.type(screen.getByRole('textbox', { name: 'Title' }), ' Works')
  window.history.back()
  await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
  // The title stays open.
  await user.keyboard('{Escape}')
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Titanium Works')
  window.history.back()
  await user.click(await screen.findByRole('button', { name: 'LEAVE' }))
  await screen.findByText('start')
})

test('the pencil gets the focus back when the title is saved or canceled', async () => {
  enterSession(signedIn())
  fakeServer().on(setOrganizationData, () => ({ Success: 1 }))
  const organization = { idOrganization: 3, Title: 'Titanium', Projects: [], Members: [], Editable: 1 as const }
  const { user } = show(<OrganizationTitle organization={organization} />)
  const pencil = () => screen.findByRole('button', { name: 'Rename the organization' })
  for (const key of ['{Escape}', '{Enter}']) {
    await user.click(await pencil())
    await user.type(screen.getByRole('textbox', { name: 'Title' }), ` Works${key}`)
    expect(document.activeElement).toBe(await pencil())
  }
})

test('what is typed while a title is being saved stays', async () => {
  enterSession(signedIn())
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = fakeServer()
  server.on(setOrganizationData, async () => {
    await promise
    return { Success: 1 }
  })
  const organization = { idOrganization: 3, Title: 'Titanium', Projects: [], Members: [], Editable: 1 as const }
  const { user } = show(
    <>
      <OrganizationTitle organization={organization} />
      <Toaster />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Rename the organization' }))
  const field = screen.getByRole('textbox', { name: 'Title' })
  await user.type(field, ' Works{Enter} Ltd')
  resolve()
  await screen.findByText(messages.settingsSaved)
  expect(server.sentTo(setOrganizationData)[0]?.input).toEqual({ idOrganization: 3, Title: 'Titanium Works' })
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Titanium Works Ltd')
})

test('the editor of the title stays open until its save is answered', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const { promise, resolve } = Promise.withResolvers<Refusal>()
  server.on(setOrganizationData, () => promise)
  const organization = { idOrganization: 3, Title: 'Titanium', Projects: [], Members: [], Editable: 1 as const }
  const { user } = show(<OrganizationTitle organization={organization} />)
  await user.click(screen.getByRole('button', { name: 'Rename the organization' }))
  await user.type(screen.getByRole('textbox', { name: 'Title' }), ' Works{Enter}')
  await waitFor(() => expect(server.sentTo(setOrganizationData)).toHaveLength(1))
  await user.keyboard('{Escape}')
  expect(screen.getByRole('button', { name: 'CANCEL' })).toHaveProperty('disabled', true)
  resolve(new Refusal(409, { error: 'This title is taken', code: 'conflict' }))
  await screen.findByText('This title is taken')
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Titanium Works')
})
