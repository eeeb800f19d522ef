import * as contract from '@tessera/contract/tickets/comments'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { deletionChange, lockComment } from './queries.ts'

export const deleteComment = implement(contract.deleteComment, async ({ db, scope, input: { idComment } }) => {
  const comment = await lockComment(db, scope, idComment)
  if (comment.deleted) return { Success: 1 as const }
  await sql`
    update comment set deleted_at = now(), deleted_by = ${scope.userId}
    where organization_id = ${scope.organizationId} and id = ${idComment}`.execute(db)
  await recordChanges(db, scope, [deletionChange(scope, idComment, comment.versions, true)])
  return { Success: 1 as const }
})
