import type { Response } from '@tessera/contract/call'
import { getUserAccess } from '@tessera/contract/people/users'
import { searchTickets } from '@tessera/contract/tickets/search'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { OpenTickets } from './open-tickets.tsx'
import { UserAccessDialog } from './user-access-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const nobody: Response<typeof getUserAccess> = { Active: 1, Super: 0, Admin: 0, Manager: 0, Projects: [], Total: 0, NextCursor: null }
const found = (Total: number) => ({ Tickets: [], NextCursor: null, Total, TotalIsExact: 1 as const })

function open(access: Partial<Response<typeof getUserAccess>> = {}, login = 'ada') {
  enterSession(signedIn({ orgperms: ['Organisation Admin'] }))
  const server = fakeServer()
  server.on(getUserAccess, () => ({ ...nobody, ...access }))
  server.on(searchTickets, () => found(12))
  const onClose = vi.fn()
  return { server, onClose, ...show(<UserAccessDialog idUser={7} login={login} onClose={onClose} />) }
}
const project = (idProject: number, Title: string, Permissions: number[], more = {}) => ({
  idProject,
  Title,
  ShortCode: Title.slice(0, 2).toUpperCase(),
  Archived: 0 as const,
  Permissions,
  Open: 0,
  ...more,
})

test('each project leads to its settings and says what the person may do there, with the name of a preset', async () => {
  const all = Array.from({ length: 13 }, (_, index) => index + 1)
  const { user, onClose } = open({
    Projects: [
      project(1, 'Alloy', [1, 2, 3, 4, 6, 7], { Open: 3 }),
      project(2, 'Bronze', all, { Archived: 1 }),
      project(3, 'Copper', [1, 12]),
      project(4, 'Dust', [2, 3]),
    ],
    Total: 4,
  })
  await screen.findByRole('heading', { name: 'Member of 4 projects' })
  screen.getByRole('dialog', { name: 'What ada may do' })
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Alloy [AL]Contributor: View tickets, Create tickets, Edit tickets, Change state, Comment, Add attachments3 open tickets',
    'Bronze [BR] · archivedLead: all permissions',
    'Copper [CO]View tickets, Delete tickets',
    'Dust [DU]Cannot see the project: View tickets is missing',
  ])
  const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(href('Bronze [BR]')).toBe('/edit-project/2')
  expect(href('3 open tickets')).toBe('/view-project/1?q=assignee%3Aada+is%3Aopen&layout=list')
  expect((await screen.findByText(/are assigned to them/)).textContent).toBe('12 open tickets are assigned to them.')
  expect(href('12 open tickets')).toBe('/search?q=assignee%3Aada+is%3Aopen')
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

test.each([
  [{ Super: 1, Admin: 1 }, ['Super user: may do everything in every organization.']],
  [{ Admin: 1 }, ['Organisation Admin: may do everything in every project of the organization.']],
  [{ Manager: 1 }, ['Organization manager: manages the people of the organization. This gives no access to projects.']],
  [{ Active: 0 }, ['The account is deactivated: nobody can sign in with it.']],
] as const)('a rank is said in words, also without a project: %o', async (access, words) => {
  open(access)
  await screen.findByText('Not a member of any project')
  for (const text of words) screen.getByText(text)
  expect(screen.queryByRole('list')).toBeNull()
})

test('the permissions in projects are said to remain without the rank', async () => {
  open({ Admin: 1, Projects: [project(1, 'Alloy', [1])], Total: 1 })
  await screen.findByText(/If that is taken away, the permissions below remain\.$/)
})

test('a failure can be tried again, and more projects come on request', async () => {
  const { server, user } = open()
  server.on(getUserAccess, () => new Refusal(500, { error: 'Something went wrong', code: 'internal' }))
  await screen.findByText('Something went wrong')
  server.on(getUserAccess, ({ Cursor }) => ({
    ...nobody,
    Projects: [Cursor === 1 ? project(2, 'Bronze', [1]) : project(1, 'Alloy', [1])],
    Total: 2,
    NextCursor: Cursor === 1 ? null : 1,
  }))
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByRole('heading', { name: 'Member of 2 projects' })
  await user.click(screen.getByRole('button', { name: 'SHOW MORE' }))
  await screen.findByRole('link', { name: 'Bronze [BR]' })
  expect(screen.queryByRole('button', { name: 'SHOW MORE' })).toBeNull()
})

test('open tickets are counted as far as the reader sees them, of a project in that project', async () => {
  enterSession(signedIn({ managedorgs: 1 }))
  const server = fakeServer()
  server.on(searchTickets, ({ idProject }) => found(idProject ? 1 : 0))
  show(
    <>
      <OpenTickets login="none" />
      <OpenTickets login="none" idProject={4} isInQuestion />
    </>,
  )
  await screen.findByText('No open tickets that you can see are assigned to them.')
  expect((await screen.findByText(/is assigned to them/)).textContent).toBe('1 open ticket is assigned to them.')
  // A login that is a word of the query language is quoted.
  const link = screen.getByRole('link')
  expect(link.getAttribute('href')).toBe('/view-project/4?q=assignee%3A%22none%22+is%3Aopen&layout=list')
  expect(link.getAttribute('target')).toBe('_blank')
  cleanup()
  server.on(searchTickets, () => new Refusal(503, { error: 'Busy', code: 'busy' }))
  show(<OpenTickets login="ada" />)
  await screen.findByText('Their open tickets could not be counted.')
})
