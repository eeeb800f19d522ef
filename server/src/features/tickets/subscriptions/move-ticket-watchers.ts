import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/watchers'
import { type Db, queryRows, run, statement } from '../../../db/db.ts'
import { bool, int4, int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { holds, lockRights, requireOpen, requireStillOpen, type TicketScope } from '../../../lib/authorize.ts'
import { Failure, notFound, notPermitted } from '../../../lib/failure.ts'
import { joinMemberships, mayViewTickets } from '../../../lib/proofs.ts'
import { watching } from './watchers.ts'

/** $2 and $3: a ticket and its project, $4 and $5: the other ticket and its project, $6 the caller. People who muted the other ticket or may not view it are not moved. */
const move = statement(
  { id: int8 },
  `
  with moving as materialized (
    select u.id from (${watching('u.id')}) w (id) join user_account u on u.id = w.id ${joinMemberships('$5')}
    where ${mayViewTickets}
  ), added as (
    insert into subscription as s (organization_id, ticket_id, user_id, enabled, own)
    select $1::bigint, $4::bigint, id, true, id = $6::bigint from moving order by id
    on conflict (organization_id, ticket_id, user_id) do update set enabled = true, own = excluded.own where s.enabled or not s.own
    returning user_id
  ), removed as (
    insert into subscription (organization_id, ticket_id, user_id, enabled, own)
    select $1, $2, user_id, false, false from added order by user_id
    on conflict (organization_id, ticket_id, user_id) do update set enabled = false, own = excluded.own
  )
  select user_id as id from added`,
)

// Like adding and removing them one by one: no history, and nobody is mailed.
export const moveTicketWatchers = implement(contract.moveTicketWatchers, async ({ db, scope, input: { idOther } }) => {
  requireOpen(scope)
  if (idOther === scope.ticketId) throw new Failure('same_ticket', 'The watchers cannot be moved to the same ticket')
  // Checked before the lock, so that people without the right never make others wait, and again after it, because the right may be gone by then.
  await requireOther(db, scope, idOther)
  await lockRights(db, scope.organizationId)
  const projectId = await requireOther(db, await requireStillOpen(db, scope, scope.ticketId), idOther)
  const { organizationId, ticketId, userId } = scope
  const moved = await run(db, move, [organizationId, ticketId, scope.projectId, idOther, projectId, userId])
  return { Success: 1 as const, Moved: moved.length }
})

/** The project of the other ticket, locked until the call ends: 404 if the caller may not see the ticket, 422 if they may not edit it. */
async function requireOther(db: Db, { organizationId, userId, admin }: TicketScope, idOther: number) {
  const rows = await queryRows(db, { projectId: int8, permissions: int4, trashed: bool, archived: bool })`
    select t.project_id as "projectId", coalesce(m.permissions, 0) as permissions, t.trashed_at is not null as trashed, p.archived_at is not null as archived
    from ticket t join project p on p.organization_id = ${organizationId} and p.id = t.project_id
    left join project_member m on m.organization_id = ${organizationId} and m.project_id = t.project_id and m.user_id = ${userId}
    where t.organization_id = ${organizationId} and t.id = ${idOther} for share of t`
  const [other] = rows
  if (!other || !(admin || holds(other, permission.viewTickets))) throw notFound()
  if (!(admin || holds(other, permission.editTickets))) throw notPermitted(permission.editTickets)
  if (other.archived) throw new Failure('rule', 'The project of the other ticket is archived and takes no changes')
  if (other.trashed) throw new Failure('rule', 'The other ticket is in the trash and takes no changes')
  return other.projectId
}
