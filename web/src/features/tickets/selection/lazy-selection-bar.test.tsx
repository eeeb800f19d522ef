import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { flushSync } from 'react-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { SelectionBar } from './lazy-selection-bar.tsx'
import { selectTickets } from './selection.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a key that is pressed before the bar is loaded opens its dialog once the bar is there', async () => {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [permission.viewTickets] }] }))
  const server = fakeServer()
  server.on(queryTickets, () => ({ Tickets: [], NextCursor: null, Total: 1 }))
  server.on(getProjectData, () => ({ ShortCode: 'OPS', Permissions: [permission.viewTickets, permission.changeState] }) as never)
  selectTickets(1, [5])
  const page = (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SelectionBar idProject={1} matching={{}} />
    </QueryClientProvider>
  )
  await act(async () => {
    flushSync(() => void render(page))
    expect(screen.queryByText('1 selected')).toBeNull()
    fireEvent.keyDown(document.body, { key: 'e' })
  })
  await screen.findByRole('dialog', { name: 'Change 1 ticket' }, { timeout: 20_000 })
})
