import { getProjectData } from '@tessera/contract/projects/projects'
import { getChangeSetList, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { showPages } from '../../../../test/show.tsx'
import { ProjectChangesPage } from './project-changes-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const away = () => new Refusal(503, { error: 'The database is away', code: 'unavailable' })
const project = {
  idProject: 1,
  Title: 'Titanium',
  ShortCode: 'TI',
  Archived: 0,
  BlockersHold: 0,
  HasLabels: 0,
  DueField: '',
  Permissions: [],
} as const
const changed = {
  idChangeSet: 4,
  What: 'bulk',
  Tickets: 2,
  OfTickets: 2,
  At: Date.now() / 1000,
  By: 'Dana',
  Changes: [],
  Some: [],
} as const
const restored = { ...changed, idChangeSet: 5, What: 'restore', Tickets: 0, OfTickets: 0 } as const

function begin(answer: () => Refusal | typeof project) {
  const server = fakeServer()
  server.on(getChangeSetList, () => [changed as never, restored as never])
  server.on(getProjectData, answer)
  const { user } = showPages([{ path: '/project-changes/:id', Component: ProjectChangesPage }], '/project-changes/1')
  return { server, user }
}
const revert = () => screen.findByRole('button', { name: 'Revert: changed 2 tickets' })

test('a restored item without tickets has no count of tickets', async () => {
  begin(() => project)
  expect((await screen.findAllByRole('listitem'))[1]?.textContent).toMatch(/^Dana brought back what was deleted(?!,)/)
})

test('REVERT works before the project is known and reads it again if that failed; its description tells the changes apart', async () => {
  const { server, user } = begin(away)
  server.on(revertChangeSet, () => ({ Total: 1, Changed: 1, Same: 0, Refused: [], Rows: [], NextCursor: null }))
  await screen.findByText('The database is away')
  const button = await revert()
  const described = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toContain('Dana changed 2 tickets')
  server.on(getProjectData, () => project)
  await user.click(button)
  await screen.findByRole('dialog', { name: 'Revert the change of 2 tickets' })
})

test('the first of the older changes has the focus once the last page of them has replaced SHOW MORE', async () => {
  const { server, user } = begin(() => project)
  const page = Array.from({ length: 100 }, (_, index) => ({ ...changed, idChangeSet: 300 - index }))
  server.on(
    getChangeSetList,
    ({ Before }) => (Before === undefined ? page : [{ ...changed, idChangeSet: 7, OfTickets: 3, Tickets: 3 }]) as never,
  )
  const more = await screen.findByRole('button', { name: 'SHOW MORE' })
  more.focus()
  await user.keyboard('{Enter}')
  const older = await screen.findByRole('button', { name: 'Revert: changed 3 tickets' })
  await waitFor(() => expect(document.activeElement).toBe(older))
  expect(more.isConnected).toBe(false)
})

test('the preview of a revert is requested again after a failure', async () => {
  const { server, user } = begin(() => project)
  server.on(revertChangeSet, away)
  await user.click(await revert())
  await screen.findByText('The database is away')
  server.on(revertChangeSet, () => ({ Total: 1, Changed: 0, Same: 1, Refused: [], Rows: [], NextCursor: null }))
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByText('No tickets change, 1 stays the same.')
  expect(screen.queryByText('The database is away')).toBeNull()
})

test('the project was deleted meanwhile: the page says so and offers no further attempt', async () => {
  const { server } = begin(() => project)
  server.on(getChangeSetList, () => new Refusal(404))
  await screen.findByText('It was deleted meanwhile, or you no longer have access.')
  expect(screen.queryByRole('button', { name: 'TRY AGAIN' })).toBeNull()
})

test('a page that is loading says so', async () => {
  const { server } = begin(() => project)
  server.on(getChangeSetList, () => new Promise<never>(() => {}))
  expect((await screen.findByRole('status')).textContent).toBe('Loading the changes')
})
