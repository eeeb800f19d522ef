import { isKeeping } from '../../lib/forms/drafts/kept.ts'
import { useCloseWarning, useUnsaved } from '../../lib/forms/unsaved.ts'
import { useGuard, useLocation } from '../../lib/navigation/use-navigation.ts'
import { ConfirmDialog } from '../confirm-dialog/confirm-dialog.tsx'

/** While something is unsaved, asks before another page or the tab's end would lose it; `isKept` when the browser keeps what was typed. */
export function LeaveGuard({ isDirty, isKept = false }: { isDirty: boolean; isKept?: boolean }) {
  useUnsaved(isDirty)
  const { pathname } = useLocation()
  const { isAsking, leave, stay } = useGuard(to => isDirty && to.pathname !== pathname)
  useCloseWarning(isDirty)
  return (
    <ConfirmDialog open={isAsking} title="Leave without saving?" confirmLabel="LEAVE" cancelLabel="STAY" onConfirm={leave} onClose={stay}>
      {isKept && isKeeping()
        ? 'Your changes on this page are not saved. This browser keeps what you typed until you sign out.'
        : 'Your changes on this page are not saved and would be lost.'}
    </ConfirmDialog>
  )
}
