import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { refetchOvertaken } from '../src/lib/calls/background.ts'
import { CurrentPage } from '../src/lib/navigation/current-page.tsx'
import { type Route, startNavigation } from '../src/lib/navigation/navigation.ts'

const nothing = { path: '*', Component: () => null }

const Problem = ({ problem }: { problem: unknown }) => String(problem instanceof Error ? problem.message : problem)

/** Renders the pages, the one at `address` first, with a fresh cache that asks once. */
export function showPages(pages: Route[], address = '/') {
  window.history.replaceState(null, '', address)
  void startNavigation([...pages, nothing])
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  refetchOvertaken(client)
  render(
    <QueryClientProvider client={client}>
      <CurrentPage Problem={Problem} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), client }
}

/** Renders it as a page of its own. */
export function show(element: ReactNode) {
  return showPages([{ path: '/', Component: () => element }])
}
