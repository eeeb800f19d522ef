import { deleteSearches, getSearchList, restoreSearches, setSearch } from '@tessera/contract/projects/saved-searches'
import { searchTickets } from '@tessera/contract/tickets/search'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { SearchPage } from '../search-page.tsx'
import { queryInProject, type SavedSearch } from './saved-search.ts'

afterEach(cleanup)

const own: SavedSearch = { idSearch: 1, Name: 'Mine', Query: 'assignee:me', Scope: 'private', Mine: 1 }
const shared: SavedSearch = { idSearch: 2, Name: 'Boats', Query: 'boat sort:-updated', Scope: 'organization', Mine: 0 }

function showSearch(address: string, searches: () => readonly SavedSearch[] = () => [own, shared]) {
  enterSession(signedIn({ projects: [{ id: 3, shortcode: 'OPS', Title: 'Operations' }] }))
  const server = fakeServer()
  server.on(searchTickets, () => ({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 }))
  server.on(getSearchList, () => [...searches()])
  const Component = () => (
    <>
      <SearchPage />
      <Toaster />
    </>
  )
  return { server, ...showPages([{ path: '/', Component }], address) }
}

test('a saved search is chosen from the menu, the own ones first, and replaces query and project', async () => {
  const { user } = showSearch('/?q=first&project=3')
  await user.click(await screen.findByRole('button', { name: 'Saved searches' }))
  const menu = screen.getByRole('menu', { name: 'Saved searches' })
  await within(menu).findByRole('menuitem', { name: /Boats/ })
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .map(entry => entry.textContent),
  ).toEqual(['Mine', 'Boatsshared', 'Edit saved searches'])
  await user.click(within(menu).getByRole('menuitem', { name: /Boats/ }))
  await waitFor(() => expect(window.location.search).toBe('?q=boat+sort%3A-updated'))
  await user.click(screen.getByRole('button', { name: 'Saved searches' }))
  expect((await screen.findByRole('menuitem', { name: /Boats/ })).getAttribute('aria-current')).toBe('true')
})

test('the present query is saved with its project; without a query there is nothing to save', async () => {
  expect(queryInProject('a or b sort:id', 'OPS')).toBe('project:OPS (a or b) sort:id')
  expect(queryInProject('sort:id', 'me')).toBe('project:"me" sort:id')
  const { server, user } = showSearch('/?q=red+boat&project=3', () => [])
  server.on(setSearch, () => new Refusal(422, { Success: 0, code: 'duplicate', error: 'There is already a search named Boats' }))
  await user.click(await screen.findByRole('button', { name: 'SAVE SEARCH' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Boats')
  // Escape asks before it drops what was typed.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  await user.click(screen.getByRole('button', { name: 'Everyone in the organization' }))
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  expect(await screen.findByText('There is already a search named Boats')).toBeDefined()
  server.on(setSearch, () => ({ Success: 1, idSearch: 5 }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '2')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText('The search was saved')
  const sent = { Name: 'Boats2', Query: 'project:OPS red boat', Scope: 'organization' }
  expect(server.sentTo(setSearch).at(-1)?.input).toEqual(sent)
  await user.click(screen.getByRole('button', { name: 'Saved searches' }))
  expect((await screen.findByRole('menuitem', { name: 'There are no saved searches yet' })).getAttribute('aria-disabled')).toBe('true')
  cleanup()
  showSearch('/')
  await screen.findByRole('button', { name: 'Saved searches' })
  expect(screen.queryByRole('button', { name: 'SAVE SEARCH' })).toBeNull()
})

test('a saved search is renamed, and deleted with UNDO; those of others are for admins', async () => {
  let searches = [own, shared]
  const { server, user } = showSearch('/', () => searches)
  server.on(setSearch, () => ({ Success: 1, idSearch: 1 }))
  server.on(restoreSearches, () => {
    searches = [own, shared]
    return { Success: 1 }
  })
  await user.click(await screen.findByRole('button', { name: 'Saved searches' }))
  await user.click(screen.getByRole('menuitem', { name: 'Edit saved searches' }))
  expect(await screen.findByRole('button', { name: 'Delete Boats' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('button', { name: 'Edit Mine' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'My tickets')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText('The search was changed')
  expect(server.sentTo(setSearch).at(-1)?.input).toEqual({ idSearch: 1, Name: 'My tickets' })

  const deleteMine = async () => {
    await user.click(screen.getByRole('button', { name: 'Delete Mine' }))
    await user.click(screen.getByRole('button', { name: 'DELETE' }))
  }
  server.on(deleteSearches, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await deleteMine()
  await screen.findByText('Busy')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  server.on(deleteSearches, () => {
    searches = [shared]
    return { Success: 1 }
  })
  await deleteMine()
  await screen.findByText('The search Mine was deleted')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Mine' })).toBeNull())
  await user.click(screen.getByText('UNDO'))
  await screen.findByText('The search is back')
  expect(server.sentTo(restoreSearches).at(-1)?.input).toEqual({ ids: [1] })
  expect(await screen.findByRole('button', { name: 'Delete Mine' })).toBeDefined()
})
