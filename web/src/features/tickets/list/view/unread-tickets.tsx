import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../../components/empty-state/error-state.tsx'
import { SearchIcon } from '../../../../components/icons/icons.tsx'
import type { CallError } from '../../../../lib/calls/api.ts'
import { unansweredQuery } from './unanswered-query.ts'

/** Instead of tickets that could not be read. */
export function UnreadTickets({ problem, onRetry }: { problem: CallError; onRetry: () => void }) {
  if (problem.code === 'query') return <EmptyState icon={<SearchIcon />} title={unansweredQuery} />
  return <ErrorState message={problem.message} onRetry={onRetry} />
}
