import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from './error-state.tsx'

type Load = Pick<UseQueryResult, 'data' | 'error' | 'refetch'>

/** Whether something that a dialog needs could not be loaded. */
export function hasFailed({ data, error }: Load) {
  return error !== null && data === undefined
}

/** Says in a dialog what could not be loaded, and tries that again; nothing while all is well. */
export function LoadProblem({ of: loads }: { of: readonly Load[] }) {
  const failed = loads.filter(hasFailed)
  if (failed.length === 0) return null
  return (
    <ErrorState
      dense
      message={failed[0]?.error?.message}
      onRetry={() => {
        for (const load of failed) void load.refetch()
      }}
    />
  )
}
