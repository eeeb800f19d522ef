import { SessionTimedOut } from '../../lib/calls/api.ts'
import { notify } from './toaster.tsx'

/** What a dialog does after its call: a toast and close on success, a toast with the error on failure. The reason is shown in the dialog. */
export function whenAnswered(onClose: () => void, done: string, failed: string) {
  return {
    onSuccess: () => {
      notify.success(done)
      onClose()
    },
    onError: (problem: Error) => {
      if (!(problem instanceof SessionTimedOut)) notify.error(failed)
    },
  }
}
