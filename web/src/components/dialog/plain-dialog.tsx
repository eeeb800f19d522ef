import { type ReactNode, useId } from 'react'
import { Button } from '../button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogText, DialogTitle, type DialogWidth } from './dialog.tsx'

interface PlainDialogProps {
  title: ReactNode
  /** Names the content where it has few controls or none, so that the keyboard has to scroll it. */
  scrollLabel?: string
  /** More buttons, before CLOSE. */
  actions?: ReactNode
  maxWidth?: DialogWidth
  /** Class of the content. */
  className?: string | undefined
  onClose: () => void
  children: ReactNode
}

/** A dialog that shows something, or in which each change is saved at once: it can only be closed. */
export function PlainDialog({ title, scrollLabel, actions, maxWidth = 'sm', className, onClose, children }: PlainDialogProps) {
  const id = useId()
  return (
    <Dialog onClose={onClose} maxWidth={maxWidth} aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      {scrollLabel ? (
        <DialogText label={scrollLabel}>{children}</DialogText>
      ) : (
        <DialogContent className={className}>{children}</DialogContent>
      )}
      <DialogActions>
        {actions}
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}
