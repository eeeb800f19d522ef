import type { Response } from '@tessera/contract/call'
import { type PermissionId, permission } from '@tessera/contract/permissions'
import type { getProjectData } from '@tessera/contract/projects/projects'
import { needsPermission, ticketTrashed } from '@tessera/contract/refusals'
import type { getTicketLinks } from '@tessera/contract/tickets/links'
import type { getTicketData } from '@tessera/contract/tickets/tickets'
import { formatNumber } from '../../../../lib/display/format.ts'
import { listOf } from '../../../../lib/display/word-list.ts'
import type { Board, Column, LaneKind } from '../data/board-data.ts'

/** What is known about a lifted ticket. */
export interface Lifted {
  ticket: Response<typeof getTicketData>
  project: Pick<Response<typeof getProjectData>, 'BlockersHold'>
  /** Read only where blockers may hold it. */
  links: Response<typeof getTicketLinks>
}

/** Of a lane that has the children of one ticket. */
export const staysInLane = 'It stays in its lane'

/** Why columns refuse the ticket, by column. The server decides the same when it is dropped. */
export function refusalsOf(board: Board, group: string, from: string, lifted: Lifted) {
  const reasons = new Map<string, string>()
  for (const column of board.columns) {
    const refusal = column.key === from ? missing(lifted, permission.editTickets) : refusalOf(column, group, lifted)
    const reason = lifted.ticket.Trashed ? ticketTrashed : refusal
    if (reason) reasons.set(column.key, reason)
  }
  return reasons
}

/** Why the ticket cannot leave its lane. */
export function laneRefusalOf(by: LaneKind | undefined, lifted: Lifted) {
  if (by === 'Parent') return staysInLane
  if (lifted.ticket.Trashed) return ticketTrashed
  return missing(lifted, by === 'Assignee' ? permission.assignPeople : permission.editTickets)
}

function missing({ ticket }: Lifted, needed: PermissionId) {
  if (ticket.Permissions.includes(needed)) return undefined
  return needsPermission(needed)
}

function refusalOf(column: Column, group: string, lifted: Lifted) {
  const { ticket, project, links } = lifted
  if (group === 'Assignee') return missing(lifted, permission.assignPeople)
  if (group !== 'State') {
    const field = ticket.Fields.find(({ Key }) => Key === group)
    if (!field) return `${ticket.Type} tickets do not have this field`
    if (column.key !== '' && !field.FieldProps.some(({ value }) => value === column.key)) return 'This is no longer an option'
    return missing(lifted, permission.editTickets)
  }
  if (Number(column.key) === ticket.idState) return undefined
  if (!ticket.OutputStates.some(({ id }) => String(id) === column.key)) return `Not allowed from ${ticket.State}`
  if (column.LimitHolds === 1 && column.Limit !== undefined && column.Total >= column.Limit)
    return `It has reached its limit of ${formatNumber(column.Limit)}`
  if (column.Phase === 3 && ticket.Phase !== 3 && ticket.Blocked === 1 && project.BlockersHold === 1) return blockedBy(links)
  return missing(lifted, permission.changeState)
}

function blockedBy(links: Lifted['links']) {
  const blockers = links.filter(({ Kind, Ticket }) => Kind === 'blocked-by' && Ticket?.Phase !== 3 && !Ticket?.Trashed)
  const named = blockers.flatMap(({ Ticket }) => (Ticket ? [`${Ticket.pcode}-${Ticket.id}`] : []))
  const unseen = blockers.length - named.length
  const all = [...named, ...(unseen > 0 ? [unseen === 1 ? 'a ticket you cannot see' : `${unseen} tickets you cannot see`] : [])]
  return `Blocked by ${listOf(all)}`
}
