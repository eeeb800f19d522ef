import { currentSession, timeOutSession } from '../../lib/session/session.tsx'
import { Button } from '../button/button.tsx'
import { WarningIcon } from '../icons/icons.tsx'
import { EmptyState } from './empty-state.tsx'

interface ErrorStateProps {
  title?: string
  /** The error message. */
  message?: string | undefined
  onRetry: () => void
  dense?: boolean
  /** Nothing else is on the page. */
  isPage?: boolean
}

export function ErrorState({ title = 'This could not be loaded', message, onRetry, dense = false, isPage = false }: ErrorStateProps) {
  const retry = () => {
    // Without a session it would never succeed: opens the reconnect dialog again, however it was closed.
    if (currentSession().timedOut) timeOutSession()
    onRetry()
  }
  return (
    <div role="alert">
      <EmptyState icon={<WarningIcon />} title={title} dense={dense} isPage={isPage} action={<Button onClick={retry}>TRY AGAIN</Button>}>
        {message}
      </EmptyState>
    </div>
  )
}
