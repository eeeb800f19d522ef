import { listColumns } from '@tessera/contract/tickets/tickets'
import { useFields } from './use-fields.ts'

/** What the fixed columns are called on the screen. */
const labels: Partial<Record<string, string>> = { Watched: 'Watching' }

export function isFixedColumn(name: string): name is (typeof listColumns)[number] {
  return (listColumns as readonly string[]).includes(name)
}
export function fixedLabel(name: string) {
  return labels[name] ?? name
}

/**
 * The columns that can be added to a list: those of every ticket, then the project's fields, which are read when `isWanted`. An archived field that
 * is shown can be taken out.
 */
export function useColumnChoices(idProject: number, shown: readonly string[], isWanted: boolean) {
  const { fields } = useFields(idProject, shown.filter(name => !isFixedColumn(name)).join(), isWanted)
  return [
    ...listColumns.map(name => ({ name, label: fixedLabel(name), detail: undefined })),
    ...fields
      .filter(({ Key }) => !isFixedColumn(Key))
      .map(({ Key, Label, isArchived }) => ({ name: Key, label: Label, detail: isArchived ? 'archived field' : 'field' })),
  ]
}
