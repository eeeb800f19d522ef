import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { useFields } from '../../list/columns/use-fields.ts'
import { type DateField, queryNameOf } from './calendar-data.ts'

/** The DATE fields of a project, and the one that a calendar shows: the one with this key, else the due date, else the first. */
export function useDateFields(idProject: number, key: string) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const offered = useQuery({ ...callQuery(getTicketFieldList, { idProject }), staleTime: seldomStale })
  const dates = useFields(idProject, key).filter(({ FieldType }) => FieldType === propertyType.DATE)
  const fields = dates.flatMap(({ Key, Label }): DateField[] => {
    const isDue = Key === project.data?.DueField
    const name = queryNameOf(Key, isDue)
    return name === undefined ? [] : [{ key: Key, label: Label, name, isDue }]
  })
  const isPending = !project.data || !offered.data
  const field = fields.find(one => one.key === key) ?? fields.find(({ isDue }) => isDue) ?? fields[0]
  return {
    isPending,
    error: project.error ?? offered.error,
    refetch: () => {
      void project.refetch()
      void offered.refetch()
    },
    fields,
    field: isPending ? undefined : field,
    /** The key of a DATE field that a query cannot name. */
    unreadable: dates.find(({ Key }) => !fields.some(one => one.key === Key))?.Key,
  }
}
