import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { requireOpen, requirePermission, requireStillAllowed, type TicketScope } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { mayViewTickets } from '../../../lib/proofs.ts'

// Like the toggle: no history, and nobody is mailed.
export const setTicketWatcher = implement(contract.setTicketWatcher, async ({ db, scope, input, tellEverybody }) => {
  const { organizationId, ticketId, userId } = scope
  const own = input.idUser === userId
  if (!own) {
    await requireViewer(db, scope, input.idUser)
    requireOpen(scope)
    tellEverybody()
  }
  const enabled = input.Watch === 1
  const { rows } = await sql`
    insert into subscription as s (organization_id, ticket_id, user_id, enabled, own)
    values (${organizationId}, ${ticketId}, ${input.idUser}, ${enabled}, ${own})
    on conflict (organization_id, ticket_id, user_id) do update set enabled = excluded.enabled, own = excluded.own
    where excluded.own or s.enabled or not s.own
    returning 1`.execute(db)
  const present = await requireStillAllowed(db, scope, ticketId)
  if (!own) {
    requirePermission(present, permission.editTickets)
    requireOpen(present)
  }
  if (rows.length === 0 && enabled) throw new Failure('rule', 'This person has muted the ticket')
  return { Success: 1 as const }
})

/** 404 for a person outside the organization; then the caller's permission; then whether the person may view the ticket. */
async function requireViewer(db: Db, scope: TicketScope, idUser: number) {
  const rows = await queryRows(db, { mayView: bool })`
    select ${sql.raw(mayViewTickets)} and not u.disabled as "mayView"
    from organization_member m join user_account u on u.id = m.user_id
    left join project_member pm on pm.organization_id = ${scope.organizationId} and pm.project_id = ${scope.projectId} and pm.user_id = m.user_id
    where m.organization_id = ${scope.organizationId} and m.user_id = ${idUser}`
  const [person] = rows
  if (!person) throw notFound()
  requirePermission(scope, permission.editTickets)
  if (!person.mayView) throw new Failure('cannot_view', 'This person may not view the ticket')
}
