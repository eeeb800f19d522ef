import type { queryBoard } from '@tessera/contract/tickets/board'
import type { Request } from '@tessera/contract/call'
import { type TicketView, viewRequest } from '../../list/view/ticket-view.ts'
import { keptBoard } from './kept-board.ts'

/** The request of a board, without paging. */
export type BoardRequest = Omit<Request<typeof queryBoard>, 'Limit' | 'Value' | 'Cursor' | 'Tickets'>

/** Cards per column and page. */
export const pageSize = 50

/** What the board is grouped by: not everything that a list can be grouped by is possible here. */
export function boardGroup({ group }: Pick<TicketView, 'group'>) {
  return group === '' || group === 'Type' ? 'State' : group
}

/** As the view says, else as the person last chose; without `idUser` any person in this browser. */
export function hasLanes(idProject: number, view: TicketView, idUser?: number) {
  return view.lanes ?? keptBoard(idProject, boardGroup(view), idUser).hasLanes
}

export function boardRequest(idProject: number, view: TicketView, idUser?: number): BoardRequest {
  const { Sort: _, Columns: __, ...filters } = viewRequest(view)
  const lanes = hasLanes(idProject, view, idUser) && { Lanes: 'Parent' as const }
  return { idProject, Group: boardGroup(view), Columns: ['Assignees'], ...filters, ...lanes }
}

/** The first request of a board. */
export function firstPage(input: BoardRequest): Request<typeof queryBoard> {
  return { ...input, Limit: pageSize }
}
