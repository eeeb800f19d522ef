import { permission } from '@tessera/contract/permissions'
import { refusalOf, type Ticket } from '../../ticket.ts'
import { FactMenu } from './fact-menu.tsx'

interface TypeMenuProps {
  ticket: Ticket
  /** The type chosen in the draft. */
  value: number
  onChange: (idTemplate: number) => void
  /** Why tickets cannot be changed at the moment. */
  blocked: string | undefined
}

/** The type, with a menu of the others; only its name where there is no other, or for a person who may not change it. */
export function TypeMenu({ ticket, value, onChange, blocked }: TypeMenuProps) {
  const { idTemplate, Type, OtherTypes = [] } = ticket
  const isChanged = value !== idTemplate
  if (!isChanged && (OtherTypes.length === 0 || refusalOf(ticket, permission.editTickets, blocked))) return Type
  // The type that the ticket has is there once another one is chosen: as the way back.
  const choices = isChanged ? [{ id: idTemplate, Description: Type }, ...OtherTypes] : OtherTypes
  return (
    <FactMenu
      ticket={ticket}
      label="Type"
      value={choices.find(({ id }) => id === value)?.Description ?? Type}
      note={isChanged ? `was ${Type}; SAVE changes the fields` : undefined}
      needs={permission.editTickets}
      blocked={blocked}
      action={{ label: 'Change the type' }}
      choices={choices.map(({ id, Description }) => ({
        key: id,
        label: Description,
        detail: id === idTemplate ? 'now' : undefined,
        isChosen: id === value,
        onChoose: () => onChange(id),
      }))}
    />
  )
}
