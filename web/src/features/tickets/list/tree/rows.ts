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

/** The ticket's row that the element is in. */
export function rowAt(target: EventTarget | null, rows: readonly TicketRow[]) {
  const element = target instanceof Element ? target.closest<HTMLElement>('tr[data-key]') : null
  if (!element) return undefined
  const index = Number(element.getAttribute('aria-rowindex')) - firstPosition
  const row = rows[index]
  return row?.kind === 'ticket' ? { row, index, element } : undefined
}

/** Where the ticket is among the rows now that followed the one with this key, or else came before it; -1 if none of them is left. */
export function nextOf(key: string, earlier: readonly TicketRow[], rows: readonly TicketRow[]) {
  const at = earlier.findIndex(row => row.key === key)
  const places = new Map(rows.map((row, index) => [row.key, index]))
  const left = [...earlier.slice(at + 1), ...earlier.slice(0, Math.max(0, at)).reverse()].find(
    row => row.kind === 'ticket' && places.has(row.key),
  )
  return left ? (places.get(left.key) ?? -1) : -1
}

export function hasChildren(ticket: QueriedTicket) {
  return ticket.SubordinateProposedCount + ticket.SubordinateActiveCount + ticket.SubordinateInactiveCount > 0
}
