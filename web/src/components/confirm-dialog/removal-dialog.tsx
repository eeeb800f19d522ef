import { type ReactNode, useState } from 'react'
import { CallError } from '../../lib/calls/api.ts'
import { notify } from '../toaster/toaster.tsx'
import { undo } from '../toaster/undo.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface RemovalDialogProps {
  title: string
  /** What goes with it. */
  children: ReactNode
  remove: () => Promise<unknown>
  /** The message after success, beside UNDO. */
  removed: string
  /** Reverts the removal and returns the message to show. */
  restore: () => Promise<string>
  onClose: () => void
}

/** Asks before somebody is removed, and offers UNDO afterwards. */
export function RemovalDialog({ title, children, remove, removed, restore, onClose }: RemovalDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [wasAnswerLost, loseAnswer] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await remove()
      notify.success(removed, undo(restore))
    } catch (problem) {
      // Somebody else was quicker, or an earlier attempt succeeded whose answer was lost.
      if (problem instanceof CallError && problem.status === 404) notify.info(removed, wasAnswerLost ? undo(restore) : undefined)
      else notify.failure(problem as Error)
      if (problem instanceof CallError && problem.code === 'network') {
        loseAnswer(true)
        setBusy(false)
        return
      }
    }
    onClose()
  }
  return (
    <ConfirmDialog open title={title} confirmLabel="REMOVE" busy={isBusy} onClose={onClose} onConfirm={() => void confirm()}>
      {children}
    </ConfirmDialog>
  )
}
