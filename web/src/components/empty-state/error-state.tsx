import { Button } from '../button/button.tsx'
import { WarningIcon } from '../icons/icons.tsx'
import { EmptyState } from './empty-state.tsx'

interface ErrorStateProps {
  title?: string
  /** The error message. */
  message?: string | undefined
  onRetry?: () => void
  dense?: boolean
}

export function ErrorState({ title = 'This could not be loaded', message, onRetry, dense = false }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState icon={<WarningIcon />} title={title} dense={dense} action={onRetry && <Button onClick={onRetry}>TRY AGAIN</Button>}>
        {message}
      </EmptyState>
    </div>
  )
}
