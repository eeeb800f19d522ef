import { type ReactNode, useId } from 'react'
import { Button } from '../button/button.tsx'
import { Dialog, DialogActions, DialogText, DialogTitle } from '../dialog/dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** The confirmed action is destructive. */
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel = 'CANCEL', danger = false, busy = false, onConfirm, onClose } = props
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} role="alertdialog" maxWidth="xs" aria-labelledby={`${id}title`} aria-describedby={`${id}text`}>
      <DialogTitle id={`${id}title`}>{title}</DialogTitle>
      <DialogText label={title}>
        <div id={`${id}text`} style={{ color: 'var(--text-dim)' }}>
          {children}
        </div>
      </DialogText>
      <DialogActions>
        <Button onClick={onClose}>{cancelLabel}</Button>
        <Button variant="contained" danger={danger} disabled={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
