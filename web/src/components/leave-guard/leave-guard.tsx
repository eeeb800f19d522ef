import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ConfirmDialog } from '../confirm-dialog/confirm-dialog.tsx'

/** While something is unsaved, asks before another page or the tab's end would lose it. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  useUnsaved(isDirty)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname)
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Leave without saving?"
      confirmLabel="LEAVE"
      cancelLabel="STAY"
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      Your changes on this page are not saved and would be lost.
    </ConfirmDialog>
  )
}
