import { useEffect } from 'react'
import { useGuard, useLocation } from '../../lib/navigation/use-navigation.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ConfirmDialog } from '../confirm-dialog/confirm-dialog.tsx'

/** While something is unsaved, asks before another page or the tab's end would lose it. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  useUnsaved(isDirty)
  const { pathname } = useLocation()
  const { isAsking, leave, stay } = useGuard(to => isDirty && to.pathname !== pathname)
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return (
    <ConfirmDialog
      open={isAsking}
      title="Leave without saving?"
      confirmLabel="LEAVE"
      cancelLabel="STAY"
      danger
      onConfirm={leave}
      onClose={stay}
    >
      Your changes on this page are not saved and would be lost.
    </ConfirmDialog>
  )
}
