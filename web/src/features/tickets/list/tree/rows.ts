import type { Phase } from '@tessera/contract/scalars'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'

/** One row of the tree: a ticket, or a message about children that are not loaded. */
export type TicketRow =
  | { kind: 'ticket'; key: string; depth: number; ticket: QueriedTicket; isOpen: boolean }
  | { kind: 'group'; key: string; depth: 0; label: string; phase: Phase | undefined; total: number }
  | { kind: 'loading'; key: string; depth: number }
  | { kind: 'failed'; key: string; depth: number; message: string; retry: () => void }
  | { kind: 'more'; key: string; depth: number; parent: QueriedTicket; hidden: number }

/** The position of the first ticket: counted from 1, after the two header rows. */
export const firstPosition = 3

export function hasChildren(ticket: QueriedTicket) {
  return ticket.SubordinateProposedCount + ticket.SubordinateActiveCount + ticket.SubordinateInactiveCount > 0
}
