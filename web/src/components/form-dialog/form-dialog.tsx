import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { unreachableMessage, useOffline } from '../../lib/calls/reach.ts'
import { isKeeping } from '../../lib/forms/drafts/kept.ts'
import { useUnsaved } from '../../lib/forms/unsaved.ts'
import { Alert } from '../alert/alert.tsx'
import { Button } from '../button/button.tsx'
import { ConfirmDialog } from '../confirm-dialog/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle, type DialogWidth } from '../dialog/dialog.tsx'
import { LeaveGuard } from '../leave-guard/leave-guard.tsx'
import styles from './form-dialog.module.css'

interface FormDialogProps {
  title: string
  children: ReactNode
  /** Enter and the main button; react-hook-form's `handleSubmit(…)` fits. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  /** Closes without asking: the form is unchanged, or the person has confirmed. */
  onClose: () => void
  /** Escape and a click outside, if that is not the same as CANCEL. */
  onDismiss?: () => void
  submitLabel: string
  cancelLabel?: string
  /** Disables the main button. */
  disabled?: boolean
  /** The form is being sent: all buttons are disabled, and Escape does nothing. */
  busy?: boolean
  /** What is being sent is given up by closing: CANCEL and Escape work meanwhile. */
  canCancelWhileBusy?: boolean
  /** There are unsaved changes: Escape asks first, and so does leaving the page. */
  isDirty?: boolean
  /** The browser keeps what was typed: leaving the page does not ask. */
  isKept?: boolean
  /** The error of the whole form. */
  error?: string | undefined
  /** More buttons, before the main one. */
  actions?: ReactNode
  maxWidth?: DialogWidth
  /** The id of words inside that are read out when it opens. */
  describedBy?: string | undefined
}

/** Focuses the first field before the dialog's focus trap does. */
function focusFirstField(form: HTMLFormElement | null) {
  if (form?.contains(document.activeElement)) return
  form?.querySelector<HTMLElement>('input:not([type=hidden], :disabled), textarea:not(:disabled), [role=combobox]')?.focus()
}

export function FormDialog(props: FormDialogProps) {
  const { title, children, onSubmit, onClose, onDismiss = onClose, submitLabel, cancelLabel = 'CANCEL' } = props
  const { disabled = false, busy = false, canCancelWhileBusy = false, isDirty = false, isKept = false, error } = props
  const { actions, maxWidth = 'xs', describedBy } = props
  const id = useId()
  useUnsaved(isDirty)
  const [isAsking, ask] = useState(false)
  const isHeld = busy && !canCancelWhileBusy
  const isOffline = useOffline()
  // The server may answer again before anybody has read the message.
  const problem = error === unreachableMessage && !isOffline ? 'The server could not be reached. Please try again.' : error
  return (
    <>
      <Dialog
        onClose={() => {
          if (isHeld) return
          if (isDirty) ask(true)
          else onDismiss()
        }}
        maxWidth={maxWidth}
        aria-labelledby={id}
        {...(describedBy && { 'aria-describedby': describedBy })}
      >
        <form
          ref={focusFirstField}
          noValidate
          onSubmit={event => {
            event.preventDefault()
            // A dialog inside another one's React tree must not submit that one as well.
            event.stopPropagation()
            if (!busy && !disabled) onSubmit(event)
          }}
          className={styles.form}
        >
          <DialogTitle id={id}>{title}</DialogTitle>
          <DialogContent className={styles.content}>
            {problem && (
              <Alert severity="error" className={styles.error}>
                {problem}
              </Alert>
            )}
            {children}
          </DialogContent>
          <DialogActions>
            <Button disabled={isHeld} onClick={onClose}>
              {cancelLabel}
            </Button>
            {actions}
            <Button type="submit" variant="contained" disabled={disabled || busy} aria-busy={busy}>
              {submitLabel}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      {!(isKept && isKeeping()) && <LeaveGuard isDirty={isDirty} />}
      <ConfirmDialog
        open={isAsking}
        title="Discard what you typed?"
        confirmLabel="DISCARD"
        cancelLabel="KEEP EDITING"
        onClose={() => ask(false)}
        onConfirm={() => {
          // Closed one after the other, so that each restores the focus.
          flushSync(() => ask(false))
          onDismiss()
        }}
      >
        What you entered here is not saved yet.
      </ConfirmDialog>
    </>
  )
}
