import { QueryClient } from '@tanstack/react-query'
import { currentSession } from '../session/session.tsx'
import { CallError, SessionTimedOut } from './api.ts'

function retry(failures: number, error: Error) {
  // The retry waits until the person has signed in again, so the screen keeps its content.
  if (error instanceof SessionTimedOut) {
    const { authenticated, timedOut, reconnect } = currentSession()
    return (authenticated || timedOut) && reconnect !== 'cancelled'
  }
  return error instanceof CallError && [0, 502, 503, 504].includes(error.status) && failures < 2
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: 'always',
      retry,
      retryDelay: (failures, error) => (error instanceof SessionTimedOut ? 0 : 500 * 2 ** failures),
    },
    mutations: { networkMode: 'always' },
  },
})
