import { type CallError, SessionTimedOut } from '../../lib/calls/api.ts'
import { takenMessage } from '../../lib/forms/refusal-messages.ts'
import { notify } from './toaster.tsx'

/**
 * What a dialog does after its call: on success a toast, and it closes; on failure a toast. The reason is shown in the dialog, or, if a name is
 * taken, at its field.
 */
export function whenAnswered(onClose: () => void, done: string, failed: string, onTaken?: (message: string) => void) {
  return {
    onSuccess: () => {
      notify.success(done)
      onClose()
    },
    onError: (problem: CallError) => {
      if (!(problem instanceof SessionTimedOut)) notify.error(failed)
      const taken = takenMessage(problem)
      if (taken) onTaken?.(taken)
    },
  }
}
