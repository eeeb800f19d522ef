import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { implement } from '../../../http/implement.ts'
import type { TicketScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges } from '../../../lib/changes.ts'
import { countTickets, type HeldTicket, lineOf } from '../queries.ts'
import { holdTrashed } from './queries.ts'

export const restoreTicket = implement(contract.restoreTicket, async ({ db, scope }) => {
  const [root, ...others] = await holdTrashed(db, scope)
  const parentId = (await mayReturnTo(db, scope, root, others)) ? root.parentId : null
  const { organizationId, projectId, ticketId } = scope
  await sql`
    update ticket set trashed_at = null, trashed_by = null, trash_root_id = null,
      parent_id = case when id = ${ticketId} then ${parentId}::bigint else parent_id end
    where organization_id = ${organizationId} and trash_root_id = ${ticketId} and trashed_at is not null`.execute(db)
  await countTickets(
    db,
    scope,
    [{ ...root, parentId }, ...others].map(ticket => ({ before: null, after: ticket })),
  )
  const change = (id: number): Change => ({
    subject: 'ticket',
    subjectId: id,
    projectId,
    ticketId: id,
    field: 'Trash',
    before: String(ticketId),
    after: null,
  })
  await recordChanges(db, scope, [
    change(ticketId),
    ...(parentId === root.parentId ? [] : [{ ...change(ticketId), field: 'Parent', before: String(root.parentId), after: null }]),
    ...others.map(({ id }) => ({ ...change(id), quiet: true as const })),
  ])
  return { Success: 1 as const, Tickets: others.length + 1 }
})

/** Whether the parent exists, is not in the trash, and is not too deep for this tree. */
async function mayReturnTo(db: Db, scope: TicketScope, root: HeldTicket, others: HeldTicket[]) {
  if (root.parentId === null) return true
  const { rows } = await sql`
    select 1 from ticket where organization_id = ${scope.organizationId} and id = ${root.parentId} and trashed_at is null`.execute(db)
  if (rows.length === 0) return false
  const above = await lineOf(db, scope, root.parentId)
  return above.length + heightOf(root, others) <= limits.depth
}

function heightOf(root: HeldTicket, others: HeldTicket[]) {
  const byParent = Map.groupBy(others, ({ parentId }) => parentId)
  let height = -1
  for (let level = [root]; level.length > 0 && height <= limits.depth; height++) level = level.flatMap(({ id }) => byParent.get(id) ?? [])
  return height
}
