import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { type Db, run, statement } from '../../db/db.ts'
import { bool, int4, nullable } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { requireOpen, type TicketScope } from '../../lib/authorize.ts'
import { recordChanges } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { countTickets, holdTicket, lineOf, lockTree } from './queries.ts'

export const moveTicket = implement(contract.moveTicket, async ({ db, scope, input: { idParent } }) => {
  requireOpen(scope)
  await lockTree(db, scope)
  const ticket = await holdTicket(db, scope, scope.ticketId)
  if (!ticket) throw notFound()
  requireOpen({ ...scope, trashed: ticket.trashRootId !== null })
  if (ticket.parentId === idParent) return { Success: 1 as const }
  const { organizationId, projectId, ticketId } = scope
  if (idParent !== null) {
    await holdOffChildren(db, scope)
    await requireRoom(db, scope, idParent)
  }
  await sql`update ticket set parent_id = ${idParent} where organization_id = ${organizationId} and id = ${ticketId}`.execute(db)
  await countTickets(db, scope, [{ before: ticket, after: { ...ticket, parentId: idParent } }])
  const text = (id: number | null) => (id === null ? null : String(id))
  await recordChanges(db, scope, [
    { subject: 'ticket', subjectId: ticketId, projectId, ticketId, field: 'Parent', before: text(ticket.parentId), after: text(idParent) },
  ])
  return { Success: 1 as const }
})

/** Creating a child locks the project's row: this waits for running ones, and later ones see that the row was written. */
async function holdOffChildren(db: Db, { organizationId, projectId }: TicketScope) {
  await sql`
    update project set workflow_version = workflow_version where organization_id = ${organizationId} and id = ${projectId}`.execute(db)
}

const heightStatement = statement(
  { height: int4, trashed: nullable(bool) },
  `
  with recursive below (id, height) as (
    select $2::bigint, 0
    union all
    select t.id, below.height + 1 from below join ticket t on t.organization_id = $1 and t.parent_id = below.id and t.trashed_at is null
    where below.height <= ${limits.depth}
  )
  select max(height) as height, (select trashed_at is not null from ticket where organization_id = $1 and id = $3) as trashed from below`,
)

/** 404 for a parent the project does not have; 422 when it is in the trash, below the ticket, or too deep. */
async function requireRoom(db: Db, scope: TicketScope, parentId: number) {
  const above = await lineOf(db, scope, parentId)
  const [below] = await run(db, heightStatement, [scope.organizationId, scope.ticketId, parentId])
  if (above.length === 0 || !below) throw notFound()
  if (below.trashed) throw new Failure('rule', 'The parent is in the trash and takes no tickets')
  if (above.includes(scope.ticketId)) throw new Failure('rule', 'A ticket cannot be moved below itself')
  if (above.length + below.height > limits.depth) throw new Failure('rule', `A ticket has at most ${limits.depth} tickets above it`)
}
