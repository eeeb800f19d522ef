import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { MouseEvent } from 'react'
import { ButtonLink } from '../../../../components/button/button.tsx'
import { PlainDialog } from '../../../../components/dialog/plain-dialog.tsx'
import { hasModifier } from '../../../../lib/input/keys/has-modifier.ts'
import styles from './calendar.module.css'
import { CalendarTicket } from './calendar-ticket.tsx'

interface DayDialogProps {
  title: string
  tickets: readonly QueriedTicket[]
  /** The address of the list with them. */
  list: string
  isLate: (ticket: QueriedTicket) => boolean
  onOpen: (ticket: QueriedTicket) => void
  onClose: () => void
}

/** All tickets of a day that has more than fit into its cell. */
export function DayDialog({ title, tickets, list, isLate, onOpen, onClose }: DayDialogProps) {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-ticket]') : null
    const ticket = tickets.find(one => String(one.id) === link?.dataset.ticket)
    if (!ticket || hasModifier(event)) return
    event.preventDefault()
    onClose()
    onOpen(ticket)
  }
  return (
    <PlainDialog title={title} actions={<ButtonLink to={list}>OPEN AS LIST</ButtonLink>} onClose={onClose}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <ul className={styles.tickets} onClick={onClick}>
        {tickets.map(ticket => (
          <CalendarTicket key={ticket.id} ticket={ticket} isLate={isLate(ticket)} isCurrent lines={2} />
        ))}
      </ul>
    </PlainDialog>
  )
}
