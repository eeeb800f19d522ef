import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { notify } from './toaster.tsx'
import { undo } from './undo.ts'

interface RemovalDialogProps {
  title: string
  /** What goes with it. */
  children: ReactNode
  remove: () => Promise<unknown>
  /** What is said when it is done, beside UNDO. */
  removed: string
  /** Takes it back and answers what to say then. */
  restore: () => Promise<string>
  onClose: () => void
}

/** Asks before somebody is removed, and offers to take it back. */
export function RemovalDialog({ title, children, remove, removed, restore, onClose }: RemovalDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await remove()
      notify.success(removed, undo(restore))
    } catch (problem) {
      notify.failure(problem as Error)
    }
    onClose()
  }
  return (
    <ConfirmDialog open title={title} confirmLabel="REMOVE" danger busy={isBusy} onClose={onClose} onConfirm={() => void confirm()}>
      {children}
    </ConfirmDialog>
  )
}
