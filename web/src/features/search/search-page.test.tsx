import { searchTickets } from '@tessera/contract/tickets/search'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { showPages } from '../../../test/show.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { SearchPage } from './search-page.tsx'

afterEach(cleanup)

test('the results of a project stay when more of them cannot be read', async () => {
  enterSession(signedIn({ projects: [{ id: 3, shortcode: 'OPS', Title: 'Operations' }] }))
  const server = fakeServer()
  const found = { id: 1, pcode: 'OPS', idProject: 3, Title: 'First', State: 'Open', Phase: 1, Labels: [] }
  server.on(searchTickets, ({ Cursor }) =>
    Cursor
      ? new Refusal(500, { error: 'Away', code: 'defect' })
      : ({ Tickets: [found], NextCursor: 'next', Total: 2, TotalIsExact: 0 } as never),
  )
  const { user } = showPages([{ path: '/', Component: SearchPage }], '/?q=first&project=3')
  await user.click(await screen.findByRole('button', { name: 'MORE' }))
  expect(await screen.findByText('Away')).toBeDefined()
  expect(screen.getByText('First')).toBeDefined()
  expect(screen.getByText(/the best of the newest first/)).toBeDefined()
  for (const { input } of server.sentTo(searchTickets)) expect(input).toMatchObject({ idProject: 3 })
})

test('the first new result has the focus once the last page has replaced MORE, which has it until then', async () => {
  enterSession(signedIn({ projects: [] }))
  const found = (id: number, Title: string) => ({ id, pcode: 'OPS', idProject: 3, Title, State: 'Open', Phase: 1, Labels: [] })
  const pages: Record<string, [string, string, string | null]> = {
    '': ['First', 'Second', 'b'],
    b: ['Third', 'Fourth', 'c'],
    c: ['Fifth', 'Sixth', null],
  }
  fakeServer().on(searchTickets, ({ Cursor = '' }) => {
    const [one, other, NextCursor] = pages[Cursor] ?? ['', '', null]
    const id = Object.keys(pages).indexOf(Cursor) * 2
    return { Tickets: [found(id + 1, one), found(id + 2, other)], NextCursor, Total: 6, TotalIsExact: 1 } as never
  })
  const { user } = showPages([{ path: '/', Component: SearchPage }], '/?q=boat')
  const more = await screen.findByRole('button', { name: 'MORE' })
  more.focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('link', { name: /Third/ })
  expect(document.activeElement).toBe(more)
  await user.keyboard('{Enter}')
  const fifth = await screen.findByRole('link', { name: /Fifth/ })
  await waitFor(() => expect(document.activeElement).toBe(fifth))
  expect(more.isConnected).toBe(false)
})

test('j and k move among the results', async () => {
  enterSession(signedIn({ projects: [{ id: 3, shortcode: 'OPS', Title: 'Operations' }] }))
  const found = (id: number, Title: string) => ({ id, pcode: 'OPS', idProject: 3, Title, State: 'Open', Phase: 1, Labels: [] })
  fakeServer().on(
    searchTickets,
    () => ({ Tickets: [found(1, 'First'), found(2, 'Second')], NextCursor: null, Total: 2, TotalIsExact: 1 }) as never,
  )
  const { user } = showPages([{ path: '/', Component: SearchPage }], '/?q=boat')
  const second = await screen.findByRole('link', { name: /Second/ })
  await user.keyboard('k')
  expect(document.activeElement?.closest('a')?.textContent).toContain('First')
  await user.keyboard('j')
  expect(document.activeElement).toBe(second)
  await user.keyboard('k')
  await waitFor(() => expect(document.activeElement?.closest('a')?.textContent).toContain('First'))
})

test('what was found is no longer shown when a name in the query is gone, as of a field that was deleted', async () => {
  enterSession(signedIn({ projects: [{ id: 3, shortcode: 'OPS', Title: 'Operations' }] }))
  const server = fakeServer()
  const found = { id: 1, pcode: 'OPS', idProject: 3, Title: 'First', State: 'Open', Phase: 1, Labels: [] }
  server.on(searchTickets, () => ({ Tickets: [found], NextCursor: null, Total: 1, TotalIsExact: 1 }) as never)
  const { client } = showPages([{ path: '/', Component: SearchPage }], '/?q=size:l')
  await screen.findByText('First')
  const body = { error: "There is nothing named 'size'", code: 'query', Position: 0, Length: 4, Nearest: [] }
  server.on(searchTickets, () => new Refusal(400, body))
  await act(() => client.invalidateQueries())
  await screen.findByText(/There is nothing named 'size'/)
  expect(screen.queryByText('First')).toBeNull()
})

test('the heading has the focus once an example has replaced the examples', async () => {
  enterSession(signedIn({ projects: [] }))
  fakeServer().on(searchTickets, () => ({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 }) as never)
  const { user } = showPages([{ path: '/', Component: SearchPage }], '/')
  const example = (await screen.findByText('updated:<7d has:comment')).closest('button')
  example?.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Nothing was found')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})
