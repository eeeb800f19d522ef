import type { queryBoard } from '@tessera/contract/board'
import type { Request } from '@tessera/contract/call'
import { type TicketView, viewRequest } from '../list/view/ticket-view.ts'

/** The request of a board, without paging. */
export type BoardRequest = Omit<Request<typeof queryBoard>, 'Limit' | 'Value' | 'Cursor' | 'Tickets'>

/** Cards per column and page. */
export const pageSize = 50

/** What the board is grouped by: not everything that a list can be grouped by is possible here. */
export function boardGroup({ group }: Pick<TicketView, 'group'>) {
  return group === '' || group === 'Type' ? 'State' : group
}

export function boardRequest(idProject: number, view: TicketView, hasLanes: boolean): BoardRequest {
  const { Sort: _, Columns: __, ...filters } = viewRequest(view)
  return { idProject, Group: boardGroup(view), Columns: ['Assignees'], ...filters, ...(hasLanes && { Lanes: 'Parent' as const }) }
}

/** The first request of a board. */
export function firstPage(input: BoardRequest): Request<typeof queryBoard> {
  return { ...input, Limit: pageSize }
}
