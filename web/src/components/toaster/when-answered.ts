import { type CallError, SessionTimedOut } from '../../lib/calls/api.ts'
import { takenMessage } from '../../lib/forms/refusal-messages.ts'
import { notify } from './toaster.tsx'

interface Answers {
  /** The toast on success. */
  done: string
  /** The toast on failure; the dialog says why. */
  failed?: string
  /** Shows at its field that a name is taken. */
  onTaken?: (message: string) => void
}

/** What a dialog does after its call: on success it closes. */
export function whenAnswered(onClose: () => void, { done, failed, onTaken }: Answers) {
  return {
    onSuccess: () => {
      notify.success(done)
      onClose()
    },
    onError: (problem: CallError) => {
      if (failed && !(problem instanceof SessionTimedOut)) notify.error(failed)
      const taken = takenMessage(problem)
      if (taken) onTaken?.(taken)
    },
  }
}
