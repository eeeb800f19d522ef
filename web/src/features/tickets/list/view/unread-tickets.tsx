import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../../components/empty-state/error-state.tsx'
import { SearchIcon } from '../../../../components/icons/icons.tsx'
import type { CallError } from '../../../../lib/calls/api.ts'

/** Why, an error or the time it takes, is shown at the query's field. */
const unansweredQuery = 'The query cannot be answered'

/** Instead of tickets that could not be read. */
export function UnreadTickets({ problem, onRetry }: { problem: CallError; onRetry: () => void }) {
  if (problem.code === 'query') return <EmptyState icon={<SearchIcon />} title={unansweredQuery} />
  return <ErrorState message={problem.message} onRetry={onRetry} />
}
