import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'
import { useFields } from '../list/columns/use-fields.ts'
import { dateFieldsOf } from './date-fields.ts'

/** The DATE fields of a project that a query can name, and the archived ones among those with these keys. */
export function useDateFields(idProject: number, keys: readonly string[]) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const offered = useQuery({ ...callQuery(getTicketFieldList, { idProject }), staleTime: seldomStale })
  const { fields: known, isPending } = useFields(idProject, keys.join())
  const dates = known.filter(({ FieldType }) => FieldType === propertyType.DATE)
  const fields = dateFieldsOf(dates, project.data?.DueField)
  return {
    isPending: !project.data || isPending,
    error: project.error ?? offered.error,
    refetch: () => {
      void project.refetch()
      void offered.refetch()
    },
    fields,
    /** The key of a DATE field that a query cannot name. */
    unreadable: dates.find(({ Key }) => !fields.some(one => one.key === Key))?.Key,
  }
}
