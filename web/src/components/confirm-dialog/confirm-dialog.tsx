import { type ReactNode, useId } from 'react'
import { Button } from '../button/button.tsx'
import { Dialog, DialogActions, DialogText, DialogTitle } from '../dialog/dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** What was confirmed is being done: the dialog stays open until then. */
  busy?: boolean
  /** It cannot be confirmed yet. */
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something destructive. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel = 'CANCEL' } = props
  const { busy = false, disabled = false, onConfirm, onClose } = props
  const id = useId()
  if (!open) return null
  return (
    <Dialog
      onClose={() => busy || onClose()}
      role="alertdialog"
      maxWidth="xs"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
    >
      <DialogTitle id={`${id}title`}>{title}</DialogTitle>
      <DialogText label={title}>
        <div id={`${id}text`} style={{ color: 'var(--text-dim)' }}>
          {children}
        </div>
      </DialogText>
      <DialogActions>
        <Button disabled={busy} onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button variant="contained" danger disabled={busy || disabled} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
