import type { queryBoard } from '@tessera/contract/board'
import type { Request } from '@tessera/contract/call'
import { type TicketView, viewRequest } from '../list/view/ticket-view.ts'

/** What a board asks for, without its pages. */
export type BoardRequest = Omit<Request<typeof queryBoard>, 'Limit' | 'Value' | 'Cursor' | 'Tickets'>

/** Loaded of each column at once. */
export const pageSize = 50

/** What the columns stand for: a list may be grouped by what is no column here. */
export function boardGroup({ group }: Pick<TicketView, 'group'>) {
  return group === '' || group === 'Type' ? 'State' : group
}

export function boardRequest(idProject: number, view: TicketView, hasLanes: boolean): BoardRequest {
  const { Sort: _, Columns: __, ...filters } = viewRequest(view)
  return { idProject, Group: boardGroup(view), Columns: ['Assignees'], ...filters, ...(hasLanes && { Lanes: 'Parent' as const }) }
}

/** The call that a board begins with. */
export function firstPage(input: BoardRequest): Request<typeof queryBoard> {
  return { ...input, Limit: pageSize }
}
