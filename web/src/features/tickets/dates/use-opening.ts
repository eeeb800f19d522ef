import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { MouseEvent } from 'react'
import { hasModifier } from '../../../lib/input/keys/has-modifier.ts'
import { beginWalk } from '../../../lib/navigation/list-walk.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { useRowKeys } from '../list/rows/use-row-keys.ts'
import type { useTicketFocus } from './use-ticket-focus.ts'

interface OpeningOptions {
  idProject: number
  /** Of the list among those that a person comes back to. */
  name: string
  /** In the order in which the ticket's page goes on from one to the next. */
  tickets: readonly QueriedTicket[]
  focus: Pick<ReturnType<typeof useTicketFocus>, 'current' | 'isChosen'>
}

/** Opens tickets by clicks on what has `data-ticket` or `data-bar`, and by the keys of a row. */
export function useOpening({ idProject, name, tickets, focus }: OpeningOptions) {
  const open = (ticket: QueriedTicket) => {
    beginWalk({ list: [name], tickets: tickets.map(({ id }) => id), cursor: null, shown: ticket.id })
    void navigate(`/view-ticket/${ticket.id}`)
  }
  const ticketAt = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-ticket], [data-bar]') : null
    return tickets.find(({ id }) => String(id) === (element?.dataset.ticket ?? element?.dataset.bar))
  }
  const current = tickets.find(({ id }) => id === focus.current)
  useRowKeys({ idProject, idTicket: focus.isChosen ? current?.id : undefined, open: () => current && open(current) })
  const onClick = (event: MouseEvent) => {
    const ticket = ticketAt(event.target)
    if (!ticket || hasModifier(event)) return
    event.preventDefault()
    open(ticket)
  }
  return { open, ticketAt, onClick }
}
