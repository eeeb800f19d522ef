import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { keepFocus } from '../../lib/input/keep-focus.ts'
import { timeOutSession, useSession } from '../../lib/session/session.tsx'
import { Alert } from '../alert/alert.tsx'
import { Button } from '../button/button.tsx'
import { Layer } from '../layer/layer.tsx'
import { ScrollArea } from '../scroll-area/scroll-area.tsx'
import styles from './dialog.module.css'

export type DialogWidth = 'xs' | 'sm' | 'md' | 'xl'

interface DialogProps {
  /** Called on Escape and on a click outside. */
  onClose: () => void
  'aria-labelledby': string
  'aria-describedby'?: string
  /** A question, `alertdialog`, stays small on a phone; anything else fills its screen. */
  role?: 'dialog' | 'alertdialog'
  /** At most 444, 600, 960 or 1920 px wide. */
  maxWidth?: DialogWidth
  className?: string | undefined
  children: ReactNode
}

/**
 * A modal dialog: its layer makes the rest of the page inert. Not by `aria-modal`, which would hide the messages and the lists of its fields from some
 * screen readers: both are outside of it. Its parts are DialogTitle, DialogContent and DialogActions; a form has FormDialog, what is only shown PlainDialog.
 */
export function Dialog({ onClose, role = 'dialog', maxWidth = 'sm', className, children, ...rest }: DialogProps) {
  const fillsPhone = role === 'dialog'
  return (
    <Layer onDismiss={onClose} className={classNames(styles.layer, fillsPhone && styles.fills)}>
      <div
        ref={keepFocus}
        role={role}
        tabIndex={-1}
        data-first-focus
        data-fills-phone={fillsPhone || undefined}
        className={classNames(styles.dialog, styles[maxWidth], className)}
        {...rest}
      >
        <ReconnectAgain />
        {children}
      </div>
    </Layer>
  )
}

/** The button of the title bar, which is out of reach: a dialog may wait for the sign-in that was put off. */
function ReconnectAgain() {
  const { timedOut, reconnect } = useSession()
  if (!timedOut || reconnect !== 'later') return null
  return (
    <Alert severity="warning" className={styles.timedOut} action={<Button onClick={timeOutSession}>RECONNECT</Button>}>
      Your session has timed out.
    </Alert>
  )
}

export function DialogTitle({ className, ...heading }: ComponentProps<'h2'>) {
  return <h2 className={classNames(styles.title, className)} {...heading} />
}

export function DialogContent({ className, ...box }: ComponentProps<'div'>) {
  return <div className={classNames(styles.content, className)} {...box} />
}

/** Content that the keyboard may have to scroll: it has no controls of its own, or few. */
export function DialogText({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea label={label} className={styles.content}>
      {children}
    </ScrollArea>
  )
}

export function DialogActions({ className, ...box }: ComponentProps<'div'>) {
  return <div className={classNames(styles.actions, className)} {...box} />
}
