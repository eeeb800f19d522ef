import type { Request } from '@tessera/contract/call'
import type { queryBoard } from '@tessera/contract/tickets/board'
import { type LanesBy, type TicketView, viewRequest } from '../../list/view/ticket-view.ts'
import { keptBoard } from './kept-board.ts'

/** The request of a board, without paging. */
export type BoardRequest = Omit<Request<typeof queryBoard>, 'Limit' | 'Value' | 'Cursor' | 'Tickets'>

/** Cards per column and page. */
export const pageSize = 50

/** What the board is grouped by: not everything that a list can be grouped by is possible here. */
export function boardGroup({ group }: Pick<TicketView, 'group'>) {
  return group === '' || group === 'Type' ? 'State' : group
}

/** As the view says, else as the person last chose; without `idUser` any person in this browser. A board by assignee has no lanes by assignee. */
export function boardLanes(idProject: number, view: TicketView, idUser?: number): LanesBy {
  const group = boardGroup(view)
  const by = view.lanes ?? keptBoard(idProject, group, idUser).lanesBy
  return by === 'Assignee' && group === 'Assignee' ? 0 : by
}

export function boardRequest(idProject: number, view: TicketView, idUser?: number): BoardRequest {
  const { Sort: _, Columns: __, ...filters } = viewRequest(view)
  const by = boardLanes(idProject, view, idUser)
  const lanes = by !== 0 && { Lanes: by === 1 ? ('Parent' as const) : by }
  return { idProject, Group: boardGroup(view), Columns: ['Assignees'], ...filters, ...lanes }
}

/** The first request of a board. */
export function firstPage(input: BoardRequest): Request<typeof queryBoard> {
  return { ...input, Limit: pageSize }
}
