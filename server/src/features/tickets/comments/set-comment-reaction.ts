import * as contract from '@tessera/contract/tickets/comments'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'

// No history and no mail: a reaction does not change the ticket.
export const setCommentReaction = implement(contract.setCommentReaction, async ({ db, scope, input }) => {
  requireOpen(scope)
  const { organizationId, userId } = scope
  if (input.Enabled === 1) {
    const { rows } = await sql`
      select 1 from comment where organization_id = ${organizationId} and id = ${input.idComment} and deleted_at is null for key share`.execute(
      db,
    )
    if (rows.length === 0) throw notFound()
    await requireStillOpen(db, scope, scope.ticketId)
    await sql`
      insert into comment_reaction (organization_id, comment_id, reaction, user_id)
      values (${organizationId}, ${input.idComment}, ${input.Reaction}, ${userId})
      on conflict (organization_id, comment_id, reaction, user_id) do nothing`.execute(db)
  } else {
    await sql`
      delete from comment_reaction
      where organization_id = ${organizationId} and comment_id = ${input.idComment} and reaction = ${input.Reaction}
        and user_id = ${userId}`.execute(db)
  }
  return { Success: 1 as const }
})
