import { type CallError, SessionTimedOut } from '../../lib/calls/api.ts'
import { takenMessage } from '../../lib/forms/refusal-messages.ts'
import { notify, type ToastAction } from './toaster.tsx'

interface Answers<Answer> {
  /** The toast on success. */
  done: string
  /** What its button does next. */
  next?: (answer: Answer) => ToastAction
  /** The toast on failure; the dialog says why. */
  failed?: string
  /** Shows at its field that a name is taken. */
  onTaken?: (message: string) => void
}

/** What a dialog does after its call: on success it closes. */
export function whenAnswered<Answer>(onClose: () => void, { done, next, failed, onTaken }: Answers<Answer>) {
  return {
    onSuccess: (answer: Answer) => {
      if (failed) notify.clear(failed)
      notify.success(done, next?.(answer))
      onClose()
    },
    onError: (problem: CallError) => {
      if (failed && !(problem instanceof SessionTimedOut)) notify.error(failed)
      const taken = takenMessage(problem)
      if (taken) onTaken?.(taken)
    },
  }
}
