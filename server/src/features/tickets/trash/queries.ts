import { type Db, run, statement } from '../../../db/db.ts'
import type { TicketScope } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { type HeldTicket, heldColumns, heldRow, holdTicket, lockTree } from '../queries.ts'

const groupStatement = statement(
  heldRow,
  `
  select ${heldColumns} from ticket
  where organization_id = $1 and project_id = $2 and trash_root_id = $3 and trashed_at is not null order by id for update`,
)

/**
 * Locks a ticket in the trash and the tickets trashed with it, the ticket first. 422 if it was trashed with an ancestor: it is restored or
 * purged together with that.
 */
export async function holdTrashed(db: Db, scope: TicketScope): Promise<[HeldTicket, ...HeldTicket[]]> {
  if (scope.archived) throw new Failure('rule', 'This project is archived and takes no changes')
  await lockTree(db, scope)
  const ticket = await holdTicket(db, scope, scope.ticketId)
  if (!ticket) throw notFound()
  if (ticket.trashRootId === null) throw new Failure('rule', 'This ticket is not in the trash')
  if (ticket.trashRootId !== ticket.id) {
    throw new Failure('rule', `This ticket went to the trash with the ticket ${ticket.trashRootId}: choose that one`)
  }
  const group = await run(db, groupStatement, [scope.organizationId, scope.projectId, ticket.id])
  return [ticket, ...group.filter(({ id }) => id !== ticket.id)]
}
