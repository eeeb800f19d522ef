import { useQuery } from '@tanstack/react-query'
import { getProjectData } from '@tessera/contract/projects/projects'
import { projectArchived, ticketTrashed } from '@tessera/contract/refusals'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'
import type { Ticket } from '../ticket.ts'

/** Why nobody can change the ticket at present; undefined when it takes changes. */
export function useBlocked({ idProject, Trashed }: Ticket, isGone: boolean) {
  // Selects one flag, so that the page re-renders only if the project turns out to be archived.
  const { data: isArchived } = useQuery({
    ...callQuery(getProjectData, { idProject }),
    staleTime: seldomStale,
    select: ({ Archived }) => Archived === 1 || undefined,
  })
  if (isGone)
    return 'This ticket was deleted meanwhile, or you no longer have access to it. What you typed cannot be saved: copy it from here'
  if (Trashed) return ticketTrashed
  return isArchived ? projectArchived : undefined
}
