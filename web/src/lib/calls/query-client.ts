import { MutationCache, QueryClient } from '@tanstack/react-query'
import { currentSession } from '../session/session.tsx'
import { CallError, SessionTimedOut, Unreachable } from './api.ts'
import { refetchInBackground, refetchOvertaken } from './background.ts'
import { onReachedAgain } from './reach.ts'

/** A longer pause, in milliseconds, is not waited for: the page shows the server's message and offers to try again. */
const longestPause = 30_000

/** Too many calls of this person are waiting, perhaps those of a script: the server says when there may be room. In milliseconds. */
function pause(error: Error) {
  return error instanceof CallError && error.status === 429 ? 1000 * (error.retryAfter ?? 0) : 0
}

function retry(failures: number, error: Error) {
  // The retry waits until the person has signed in again, so the screen keeps its content.
  if (error instanceof SessionTimedOut) {
    const { authenticated, timedOut, reconnect } = currentSession()
    return (authenticated || timedOut) && reconnect !== 'canceled'
  }
  // What fails now is read again as soon as the server answers.
  if (error instanceof Unreachable && error.wasOffline && failures === 0) return false
  if (pause(error) > longestPause) return false
  return error instanceof CallError && [0, 429, 502, 503, 504].includes(error.status) && failures < 2
}

function retryDelay(failures: number, error: Error) {
  if (error instanceof SessionTimedOut) return 0
  return pause(error) || 500 * 2 ** failures
}

/** Whether the page may be wrong after a mutation failed: without an answer it may have been carried out, or somebody else was quicker. */
function mayBeOld(error: Error) {
  if (!(error instanceof CallError) || error.code === 'identity_changed') return false
  return error.status === 0 || error.status === 404 || error.status === 409 || error.status >= 500
}

export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: error => {
      if (mayBeOld(error)) void queryClient.invalidateQueries()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: 'always',
      retry,
      retryDelay,
    },
    mutations: { networkMode: 'always' },
  },
})

refetchOvertaken(queryClient)

// The stream of changes may take a minute until it is back; what could not be read is read again at once.
onReachedAgain(() => {
  void refetchInBackground(queryClient, ({ state: { error } }) => error instanceof CallError && error.code === 'network')
})
