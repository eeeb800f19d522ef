import { notify, type ToastAction } from './toaster.tsx'

/** Milliseconds until somebody wonders whether UNDO was pressed. */
const patience = 500

/** UNDO in a toast, which outlives the dialog and perhaps the page it came from: other toasts say that it is at work, and the outcome. */
export function undo(restore: () => Promise<string>): ToastAction {
  const onClick = () => {
    let hide = () => {}
    const waiting = setTimeout(() => {
      hide = notify.working('Undoing…')
    }, patience)
    void outcome(restore()).finally(() => {
      clearTimeout(waiting)
      hide()
    })
  }
  return { label: 'UNDO', onClick }
}

/** Says what the promise answers, or why it failed. */
export function outcome(restored: Promise<string>) {
  return restored.then(
    words => void notify.success(words),
    (problem: Error) => notify.failure(problem),
  )
}
