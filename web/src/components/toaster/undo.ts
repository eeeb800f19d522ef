import { notify, type ToastAction } from './toaster.tsx'

/** UNDO in a toast, which outlives the dialog and perhaps the page it came from: the outcome is said by another toast. */
export function undo(restore: () => Promise<string>): ToastAction {
  return { label: 'UNDO', onClick: () => void outcome(restore()) }
}

/** Says what the promise answers, or why it failed. */
export function outcome(restored: Promise<string>) {
  return restored.then(
    words => void notify.success(words),
    (problem: Error) => notify.failure(problem),
  )
}
