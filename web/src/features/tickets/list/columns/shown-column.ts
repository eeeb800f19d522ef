import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { ComponentType } from 'react'

/** A column that was added to the list, with what its cells need, which loads after the list itself. */
export interface ShownColumn {
  name: string
  label: string
  /** The renderer of a field's type, by id. */
  typeId?: number | undefined
  /** The label of a stored value: an option, a person. */
  nameOf: (value: string) => string
  Cell: ComponentType<{ column: ShownColumn; ticket: QueriedTicket }> | undefined
}
