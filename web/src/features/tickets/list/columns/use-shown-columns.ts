import { useQuery } from '@tanstack/react-query'
import { propertyType } from '@tessera/contract/projects/project-config'
import { getProjectMembers } from '@tessera/contract/projects/projects'
import { useMemo } from 'react'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import type { ShownColumn } from './column-cell.tsx'
import { fixedLabel, isFixedColumn } from './use-column-choices.ts'
import { useFields } from './use-fields.ts'

/** The added columns as the list shows them; `key` has their names joined by commas. The result is referentially stable until something changes. */
export function useShownColumns(idProject: number, key: string): readonly ShownColumn[] {
  const names = useMemo(() => key.split(',').filter(Boolean), [key])
  const keys = names.filter(name => !isFixedColumn(name)).join()
  const { fields } = useFields(idProject, keys, keys !== '')
  const isPerson = fields.some(({ Key, FieldType }) => FieldType === propertyType.USER && names.includes(Key))
  const { data: members } = useQuery({ ...callQuery(getProjectMembers, { idProject }), enabled: isPerson, staleTime: seldomStale })
  return useMemo(
    () =>
      names.map(name => {
        const field = isFixedColumn(name) ? undefined : fields.find(({ Key }) => Key === name)
        const options = new Map(
          field?.FieldType === propertyType.USER
            ? members?.map(({ idUser, FullName, Login }) => [String(idUser), FullName || Login] as const)
            : field?.FieldProps.map(({ value, label }) => [value, label] as const),
        )
        return {
          name,
          label: field?.Label ?? fixedLabel(name),
          typeId: field?.FieldType,
          nameOf: value => options.get(value) ?? (field?.FieldType === propertyType.USER ? 'Former member' : value),
        } satisfies ShownColumn
      }),
    [names, fields, members],
  )
}
