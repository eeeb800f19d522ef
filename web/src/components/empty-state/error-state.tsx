import { useLayoutEffect, useRef } from 'react'
import { focusHeading } from '../../lib/navigation/arrival.ts'
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
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = box.current
    // TRY AGAIN takes its focus with it; a card around it may have a better place.
    return () => {
      if (own?.contains(document.activeElement)) queueMicrotask(focusHeading)
    }
  }, [])
  const retry = () => {
    // Without a session it would never succeed: opens the reconnect dialog again, however it was closed.
    if (currentSession().timedOut) timeOutSession()
    onRetry()
  }
  return (
    <div ref={box} role="alert">
      <EmptyState icon={<WarningIcon />} title={title} dense={dense} isPage={isPage} action={<Button onClick={retry}>TRY AGAIN</Button>}>
        {message}
      </EmptyState>
    </div>
  )
}
