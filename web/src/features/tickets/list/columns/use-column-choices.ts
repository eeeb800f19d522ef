import { useQuery } from '@tanstack/react-query'
import { getTicketFieldList } from '@tessera/contract/projects/project-config'
import { listColumns } from '@tessera/contract/tickets/tickets'
import { callQuery } from '../../../../lib/calls/api.ts'

/** What the fixed columns are called on the screen. */
const labels: Partial<Record<string, string>> = { Watched: 'Watching' }

export function isFixedColumn(name: string): name is (typeof listColumns)[number] {
  return (listColumns as readonly string[]).includes(name)
}
export function fixedLabel(name: string) {
  return labels[name] ?? name
}

/** The columns that can be added to a list: those of every ticket, then the project's fields, which are read when `isWanted`. */
export function useColumnChoices(idProject: number, isWanted: boolean) {
  const fields = useQuery({ ...callQuery(getTicketFieldList, { idProject }), enabled: isWanted, staleTime: 60_000 })
  return [
    ...listColumns.map(name => ({ name, label: fixedLabel(name), detail: undefined })),
    ...(fields.data ?? []).filter(({ Key }) => !isFixedColumn(Key)).map(({ Key, Label }) => ({ name: Key, label: Label, detail: 'field' })),
  ]
}
