import { type CallError, SessionTimedOut } from '../../lib/calls/api.ts'
import { takenMessage } from '../../lib/forms/taken.ts'
import { notify } from './toaster.tsx'

/**
 * What a dialog does after its call: a toast and close on success, a toast with the error on failure. The reason is shown in the dialog; that
 * a name is taken, at its field.
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
