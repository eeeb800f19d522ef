import { getOrganizationData } from '@tessera/contract/people/organizations'
import { connstate } from '@tessera/contract/people/session'
import { allPermissions } from '@tessera/contract/permissions'
import { labelColor } from '@tessera/contract/projects/labels'
import {
  getTicketFieldList,
  getTicketStateList,
  getTicketTemplateList,
  getUserPermissions,
} from '@tessera/contract/projects/project-config'
import { getProjectData, getProjectList } from '@tessera/contract/projects/projects'
import { getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../test/fake-server.ts'
import { signedIn } from '../test/people.ts'
import { plainRow, plainTicket } from '../test/ticket.ts'
import { App } from './app.tsx'
import { queryClient } from './lib/calls/query-client.ts'
import { type Action, useActiveActions } from './lib/input/actions.ts'
import { startNavigation } from './lib/navigation/navigation.ts'
import { enterSession } from './lib/session/session.tsx'
import { routes } from './routes.tsx'

// jsdom has none of these.
globalThis.IntersectionObserver ??= class {
  observe() {}
  disconnect() {}
} as never
globalThis.EventSource ??= class {
  addEventListener() {}
  close() {}
} as never

let actions: readonly Action[] = []
function Actions() {
  actions = useActiveActions()
  return null
}

const idProject = 1
const ticket = { ...plainRow, Labels: [{ idLabel: 1, Label: 'bug', Color: labelColor }] }

/** Opens the page of somebody who may do everything, until `sign` is there. */
async function actionsOf(address: string, sign: string) {
  const server = fakeServer()
  const person = signedIn({
    orgperms: ['Organisation Admin'],
    projperms: [{ idProject, Permissions: [...allPermissions] }],
    projects: [{ id: idProject, shortcode: 'TIM', Title: 'Titanium' }],
  })
  server.on(connstate, () => person)
  server.on(getProjectList, () => [{ idProject, Title: 'Titanium', ShortCode: 'TIM' }])
  server.on(getProjectData, () => ({
    idProject,
    Title: 'Titanium',
    ShortCode: 'TIM',
    Archived: 0,
    BlockersHold: 0,
    HasLabels: 1,
    DueField: '',
    Permissions: [...allPermissions],
  }))
  for (const call of [getTicketStateList, getTicketTemplateList, getUserPermissions]) server.on(call, () => [])
  server.on(getOrganizationData, () => ({ idOrganization: 3, Title: 'Larkfield', Projects: [], Members: [], Editable: 0 }))
  server.on(queryTickets, () => ({ Tickets: [ticket], NextCursor: null, Total: 1 }))
  server.on(getTicketFieldList, () => [])
  server.on(getTicketData, () => ({
    ...plainTicket,
    OtherTypes: [{ id: 2, Description: 'Task' }],
    idProject,
    Permissions: [...allPermissions],
  }))
  enterSession(person)
  history.replaceState(null, '', address)
  await startNavigation(routes)
  render(
    <>
      <App />
      <Actions />
    </>,
  )
  await screen.findAllByText(sign)
  return actions
}
afterEach(() => {
  cleanup()
  queryClient.clear()
})

/** What a button in capitals says that is about what was typed or chosen on the page, where the palette would not help. */
const aboutThePage = ['SAVE', 'WRITE', 'PREVIEW', 'COMMENTS', 'TRY AGAIN']
const everywhere = ['Ctrl+K', '/', '?', 'c', 'g h']
test.each([
  ['/home', 'NEW PROJECT', everywhere],
  ['/profile', 'This browser', everywhere],
  ['/view-project/1', 'Crash', [...everywhere, 'j', 'k', 'x', 'e', 's', 'a', 'l', 'm', 'f', '.']],
  ['/view-ticket/7', 'Load View', [...everywhere, 'e', 's', 'a', 'l', 'm', '.', 'Ctrl+S']],
])('on %s each key has a name and does one thing, and the palette has what the buttons in capitals do', async (address, sign, expected) => {
  const found = await actionsOf(address, sign)
  expect(found.filter(({ label }) => label.trim() === '')).toEqual([])
  const keys = found.flatMap(action => (action.keys && action.run ? [action.keys] : []))
  expect(keys).toEqual(expect.arrayContaining(expected))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  const named = found.filter(({ run }) => run).map(({ label }) => label.toUpperCase().split(' '))
  const hasAction = (text: string) => named.some(words => text.split(' ').every(word => words.includes(word)))
  const buttons = screen.getAllByRole('button').map(button => button.textContent.trim())
  const lacking = buttons.filter(text => /^[A-Z ]{3,}$/.test(text) && !hasAction(text) && !aboutThePage.includes(text))
  expect(lacking).toEqual([])
})

test('the title of a new ticket stays on the page when its project is deleted, or its author removed, meanwhile', async () => {
  await actionsOf('/view-project/1', 'Crash')
  await userEvent.click((await screen.findAllByRole('button', { name: 'ADD TICKET' })).at(-1) as HTMLElement)
  const title = await screen.findByLabelText<HTMLInputElement>('Title')
  await userEvent.type(title, 'Typed')
  // The server no longer knows any call.
  fakeServer()
  await act(() => queryClient.invalidateQueries())
  expect([title.isConnected, title.value]).toEqual([true, 'Typed'])
  await userEvent.click(screen.getByRole('button', { name: 'CANCEL' }))
  await screen.findByText('There is no such project')
  expect(document.title).toBe('There is no such project - Tessera')
})

test('a project that the session does not have has no heading until it is known', async () => {
  const server = fakeServer()
  const person = signedIn()
  server.on(connstate, () => person)
  server.on(queryTickets, () => ({ Tickets: [], NextCursor: null, Total: 0 }))
  // It is never answered.
  server.on(getProjectData, () => new Promise<never>(() => undefined))
  enterSession(person)
  history.replaceState(null, '', '/view-project/9')
  await startNavigation(routes)
  render(<App />)
  expect((await screen.findByRole('heading', { level: 1 })).textContent?.trim()).toBe('')
})

test.each([
  ['/profile', 'This browser', 'Your Profile'],
  ['/view-organization/3', 'There are no members yet', 'Larkfield'],
  ['/edit-project/1', 'Project Settings', 'Edit Titanium'],
])('the title of the window says what %s shows', async (address, sign, title) => {
  await actionsOf(address, sign)
  expect(document.title).toBe(`${title} - Tessera`)
})
