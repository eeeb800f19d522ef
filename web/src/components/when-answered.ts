import { SessionTimedOut } from '../lib/api.ts'
import { notify } from './toaster.tsx'

/** What a dialog does when its call has answered: says so and closes, or says what failed. The reason stands in the dialog. */
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
