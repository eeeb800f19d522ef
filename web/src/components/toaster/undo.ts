import { notify, type ToastAction } from './toaster.tsx'

/** Milliseconds after which a slow UNDO shows that it is working. */
const patience = 500

/**
 * UNDO in a toast, which outlives the dialog and perhaps the page that it came from: further toasts show its progress and its outcome, and offer it
 * again after a failure, because what was deleted may be restored nowhere else.
 */
export function undo(restore: () => Promise<string>): ToastAction {
  const onClick = () => {
    let hide = () => {}
    const waiting = setTimeout(() => {
      hide = notify.working('Undoing…')
    }, patience)
    void outcome(restore(), action).finally(() => {
      clearTimeout(waiting)
      hide()
    })
  }
  const action = { label: 'UNDO', onClick }
  return action
}

/** Shows the message that the promise resolves to, or why it failed, with the action. */
export function outcome(restored: Promise<string>, again?: ToastAction) {
  return restored.then(
    words => void notify.success(words),
    (problem: Error) => notify.failure(problem, undefined, again),
  )
}
