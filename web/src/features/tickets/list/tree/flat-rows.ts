import type { Response } from '@tessera/contract/call'
import type { QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import type { TicketRow } from './rows.ts'

type Groups = Response<typeof queryTickets>['Groups']

/** The heading of the group of tickets without a value. */
function labelOfNone(group: string) {
  return group === 'Assignee' ? 'Not assigned' : 'No value'
}

/** The rows of a flat list: each ticket once, under the heading of its group. */
export function flatRows(tickets: readonly QueriedTicket[], group: string, groups: Groups): TicketRow[] {
  const known = new Map(groups?.map(each => [each.Value, each]))
  const rows: TicketRow[] = []
  let last: QueriedTicket['Group']
  let headings = 0
  for (const ticket of tickets) {
    const value = ticket.Group
    if (value !== undefined && (headings === 0 || value !== last)) {
      const { Label = '', Phase, Total = 0 } = known.get(value) ?? {}
      // While pages of an older order are in the list, a group may begin twice.
      rows.push({ kind: 'group', key: `group/${headings++}`, depth: 0, label: Label || labelOfNone(group), phase: Phase, total: Total })
      last = value
    }
    rows.push({ kind: 'ticket', key: String(ticket.id), depth: 0, ticket, isOpen: false })
  }
  return rows
}
