import type { restoreTicketFields, restoreTicketTemplates } from '@tessera/contract/project-config'
import { notify } from '../../components/toaster.tsx'
import { SessionTimedOut, useCallMutation } from '../../lib/api.ts'

/** Brings archived fields or templates back and says so. */
export function useRestore(call: typeof restoreTicketFields | typeof restoreTicketTemplates, idProject: number, noun: string) {
  const { mutate } = useCallMutation(call)
  return (ids: number[]) =>
    mutate(
      { idProject, ids },
      {
        onSuccess: () => notify.success(ids.length === 1 ? `The ${noun} is back` : `${ids.length} ${noun}s are back`),
        onError: problem => problem instanceof SessionTimedOut || notify.error(problem.message),
      },
    )
}
