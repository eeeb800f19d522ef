import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'

interface ConfirmDialogProps {
  open: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** What is confirmed destroys something. */
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel = 'CANCEL', danger = false, busy = false, onConfirm, onClose } = props
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      maxWidth="xs"
      fullWidth
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
    >
      <DialogTitle id={`${id}title`}>{title}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}text`} component="div">
          {children}
        </DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{cancelLabel}</Button>
        <Button variant="contained" color={danger ? 'error' : 'primary'} disabled={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
