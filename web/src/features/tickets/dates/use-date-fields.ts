import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { isQueryName } from '@tessera/contract/query-language/names'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'
import { useFieldLists } from '../list/columns/use-fields.ts'

/** A field whose days are shown. */
export interface DateField {
  key: string
  label: string
  /** What a query calls it. */
  name: string
  isDue: boolean
}

/** What a query calls a DATE field; undefined if its key means something else there, such as `created`. */
function queryNameOf(key: string, isDue: boolean) {
  const name = key.toLowerCase()
  if (!isQueryName(name) && name !== 'sort') return key
  return isDue ? 'due' : undefined
}

/** The DATE fields of a project that a query can name, and the archived ones among those with these keys. */
export function useDateFields(idProject: number, keys: readonly string[]) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const offered = useQuery({ ...callQuery(getTicketFieldList, { idProject }), staleTime: seldomStale })
  const { fields: known, isPending } = useFieldLists(idProject, keys.join())
  const dates = known.filter(({ FieldType }) => FieldType === propertyType.DATE)
  const fields = dates.flatMap(({ Key, Label }): DateField[] => {
    const isDue = Key === project.data?.DueField
    const name = queryNameOf(Key, isDue)
    return name === undefined ? [] : [{ key: Key, label: Label, name, isDue }]
  })
  return {
    isPending: !project.data || isPending,
    error: project.error ?? offered.error,
    refetch: () => {
      void project.refetch()
      void offered.refetch()
    },
    fields,
    /** The one with this key, else the due date, else the first. */
    chosen: (key: string | undefined) => fields.find(one => one.key === key) ?? fields.find(({ isDue }) => isDue) ?? fields[0],
    /** The key of a DATE field that a query cannot name. */
    unreadable: dates.find(({ Key }) => !fields.some(one => one.key === Key))?.Key,
  }
}
