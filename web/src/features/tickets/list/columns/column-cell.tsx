import { propertyType } from '@tessera/contract/projects/project-config'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { Avatars } from '../../../../components/avatar/avatars.tsx'
import { BellIcon, CheckIcon } from '../../../../components/icons/icons.tsx'
import { formatDate, formatDateTime, formatDay } from '../../../../lib/display/format.ts'
import { RowLabels } from '../rows/row-labels.tsx'

/** A column that was added to the list. */
export interface ShownColumn {
  name: string
  label: string
  /** The renderer of a field's type, by id. */
  typeId?: number | undefined
  /** The label of a stored value: an option, a person. */
  nameOf: (value: string) => string
}

/** What an added column shows of a ticket. */
export function ColumnCell({ column, ticket }: { column: ShownColumn; ticket: QueriedTicket }) {
  const value = ticket.Values?.[column.name]
  if (value === undefined || value === null) return null
  switch (column.name) {
    case 'Assignees':
      return <People names={[...new Set((value as { Name: string }[]).map(({ Name }) => Name))]} />
    case 'Labels':
      return ticket.Labels.length > 0 && <RowLabels labels={ticket.Labels} />
    case 'Created':
    case 'Updated':
      return <span data-tip={formatDateTime(value as number)}>{formatDate(value as number)}</span>
    case 'Parent': {
      const { id, pcode, Title } = value as { id: number; pcode: string; Title: string }
      return `${pcode}-${id} ${Title}`
    }
    case 'Watched':
      return value === 1 && <BellIcon fontSize="small" titleAccess="You are watching" />
  }
  const text = String(value)
  if (text === '') return null
  if (column.typeId === propertyType.DATE) return formatDay(text)
  if (column.typeId === propertyType.CHECKBOX) return <CheckIcon fontSize="small" titleAccess="Checked" />
  if (column.typeId === propertyType.MULTISELECT) return selected(text).map(column.nameOf).join(', ')
  return column.nameOf(text)
}

/** The options of a MULTISELECT value; a long one may be cut off. */
function selected(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([quoted]) => JSON.parse(quoted) as string)
}

const avatars = 4

function People({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <span className="people" data-tip={names.join(', ')}>
      <Avatars names={names} most={avatars} />
    </span>
  )
}
