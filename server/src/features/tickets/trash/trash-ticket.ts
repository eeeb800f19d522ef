import * as contract from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { type Db, run, statement } from '../../../db/db.ts'
import { implement } from '../../../http/implement.ts'
import { requireOpen, type TicketScope } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { countTickets, heldColumns, heldRow, holdTicket, lockTree } from '../queries.ts'

export const trashTicket = implement(contract.trashTicket, async ({ db, scope }) => {
  requireOpen(scope)
  await lockTree(db, scope)
  const tickets = await holdTree(db, scope)
  const { organizationId, projectId, ticketId, userId } = scope
  await sql`
    update ticket set trashed_at = now(), trashed_by = ${userId}, trash_root_id = ${ticketId}
    where organization_id = ${organizationId} and id = any(${tickets.map(({ id }) => id)}::bigint[])`.execute(db)
  await countTickets(
    db,
    scope,
    tickets.map(ticket => ({ before: ticket, after: null })),
  )
  await recordChanges(
    db,
    scope,
    tickets.map(({ id }) => ({
      subject: 'ticket',
      subjectId: id,
      projectId,
      ticketId: id,
      field: 'Trash',
      before: null,
      after: String(ticketId),
      ...(id === ticketId ? {} : { quiet: true as const }),
    })),
  )
  return { Success: 1 as const, Tickets: tickets.length }
})

const childrenStatement = statement(
  heldRow,
  `
  select ${heldColumns} from ticket
  where organization_id = $1 and parent_id = any($2::bigint[]) and trashed_at is null order by id for no key update`,
)

/** Level by level, each locked before the next is read: a transaction that adds a child locks the parent, so it is either seen or waits. */
async function holdTree(db: Db, scope: TicketScope) {
  const root = await holdTicket(db, scope, scope.ticketId)
  if (!root) throw notFound()
  requireOpen({ ...scope, trashed: root.trashRootId !== null })
  const tickets = [root]
  for (let level = [root]; level.length > 0; ) {
    level = await run(db, childrenStatement, [scope.organizationId, level.map(({ id }) => id)])
    tickets.push(...level)
  }
  return tickets
}
