import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from './error-state.tsx'

export type Load = Pick<UseQueryResult, 'data' | 'error' | 'refetch'>

/** Whether data that a dialog needs could not be loaded. */
export function hasFailed({ data, error }: Load) {
  return error !== null && data === undefined
}

/** Shows in a dialog what could not be loaded, with TRY AGAIN; renders nothing without an error. */
export function LoadProblem({ of: loads, title }: { of: readonly Load[]; title?: string }) {
  const failed = loads.filter(hasFailed)
  if (failed.length === 0) return null
  return (
    <ErrorState
      dense
      {...(title && { title })}
      message={failed[0]?.error?.message}
      onRetry={() => {
        for (const load of failed) void load.refetch()
      }}
    />
  )
}
