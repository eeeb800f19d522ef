import type { restoreLabels } from '@tessera/contract/projects/labels'
import type { restoreTicketFields, restoreTicketStates, restoreTicketTemplates } from '@tessera/contract/projects/project-config'
import type { restoreProjectRoles } from '@tessera/contract/projects/projects'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'

type RestoreCall =
  | typeof restoreLabels
  | typeof restoreTicketFields
  | typeof restoreTicketStates
  | typeof restoreTicketTemplates
  | typeof restoreProjectRoles

/** Undoes a deletion, or restores from the archive; returns the message to show. */
export function useRestore(call: RestoreCall, idProject: number, noun: string) {
  const { mutateAsync } = useCallMutation(call)
  return async (ids: number[]) => {
    const answer = await mutateAsync({ idProject, ids })
    const back = ids.length === 1 ? `The ${noun} is back` : `${ids.length} ${noun}s are back`
    const them = ids.length === 1 ? 'it' : 'them'
    const kept = 'QueriesKept' in answer && answer.QueriesKept ? '. Saved views and searches that were changed since stay as they are' : ''
    if ('Tickets' in answer && answer.Tickets > 0) return `${back}, ${counted(answer.Tickets, 'ticket')} with ${them}${kept}`
    if ('Assignments' in answer && answer.Assignments > 0) return `${back}, ${counted(answer.Assignments, 'assignment')} with ${them}`
    return back + kept
  }
}
