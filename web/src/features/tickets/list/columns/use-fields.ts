import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList } from '@tessera/contract/projects/project-config'
import { useMemo } from 'react'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'

/**
 * The project's fields with the archived ones that a view still shows, and whether some of them are not known yet. `shown` has their database keys,
 * joined by commas.
 */
export function useFields(idProject: number, shown: string, isWanted = true) {
  const { data: offered } = useQuery({ ...callQuery(getTicketFieldList, { idProject }), enabled: isWanted, staleTime: seldomStale })
  const missing = useMemo(() => shown.split(',').filter(key => key && !offered?.some(({ Key }) => Key === key)), [shown, offered])
  const isMissing = offered !== undefined && missing.length > 0
  const { data: archived, isLoading } = useQuery({
    ...callQuery(getTicketFieldList, { idProject, Archived: 1 }),
    enabled: isMissing,
    staleTime: seldomStale,
  })
  const fields = useMemo(
    () => [
      ...(offered ?? []).map(field => ({ ...field, isArchived: false })),
      ...(archived ?? []).filter(({ Key }) => missing.includes(Key)).map(field => ({ ...field, isArchived: true })),
    ],
    [offered, archived, missing],
  )
  return { fields, isPending: !offered || isLoading }
}
