import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { countTickets } from '../../tickets/counting/count-tickets.ts'

/** A ticket that a change of the configuration moved from one state to another. */
export interface TicketMove {
  id: number
  templateId: number
  parentId: number | null
  trashed: boolean
  from: number
  to: number
}
export const movedColumns = sql`ticket.id, template_id as "templateId", parent_id as "parentId", trashed_at is not null as trashed`

/** Updates the counters for moved tickets and returns the history; call it once, after the last move. */
export async function countMoves(db: Db, scope: ProjectScope, moves: readonly TicketMove[]): Promise<Change[]> {
  await countTickets(
    db,
    scope,
    moves.flatMap(({ trashed, templateId, parentId, from, to }) =>
      trashed ? [] : [{ before: { templateId, parentId, stateId: from }, after: { templateId, parentId, stateId: to } }],
    ),
  )
  const { projectId } = scope
  return moves.map(({ id, from, to }) => ticketChange({ projectId, ticketId: id }, 'State', String(from), String(to)))
}
