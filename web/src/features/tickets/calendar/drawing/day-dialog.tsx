import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { type MouseEvent, useId } from 'react'
import { Button, ButtonLink } from '../../../../components/button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../../components/dialog/dialog.tsx'
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
  const id = useId()
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-ticket]') : null
    const ticket = tickets.find(one => String(one.id) === link?.dataset.ticket)
    if (!ticket || hasModifier(event)) return
    event.preventDefault()
    onClose()
    onOpen(ticket)
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullScreenOnPhone>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
        <ul className={styles.tickets} onClick={onClick}>
          {tickets.map(ticket => (
            <CalendarTicket key={ticket.id} ticket={ticket} isLate={isLate(ticket)} isCurrent lines={2} />
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <ButtonLink to={list}>OPEN AS LIST</ButtonLink>
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}
