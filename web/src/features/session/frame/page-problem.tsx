import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { partProblem } from '../../../components/lazy/lazy.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'

/** A page that could not be shown: a defect, or a part of the application that is no longer there after an update. */
export function PageProblem({ problem }: { problem: unknown }) {
  return (
    <PageContent>
      <ErrorState isPage title="This page could not be shown" message={messageOf(problem)} onRetry={() => window.location.reload()} />
    </PageContent>
  )
}

function messageOf(problem: unknown) {
  if (!(problem instanceof Error)) return 'Something went wrong.'
  // Each browser has its own message for it; all of them mention a module.
  return problem instanceof TypeError && problem.message.includes('module') ? partProblem : problem.message
}
