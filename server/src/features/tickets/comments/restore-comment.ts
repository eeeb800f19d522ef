import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/comments'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, notPermitted } from '../../../lib/failure.ts'
import { deletionChange, lockComment } from './queries.ts'

export const restoreComment = implement(contract.restoreComment, async ({ db, scope, input: { idComment } }) => {
  const comment = await lockComment(db, scope, idComment)
  if (!comment.deleted) return { Success: 1 as const }
  // Only the author restores what the author deleted, and only a manager what a manager deleted.
  if (!comment.deletedByAuthor && !comment.isManager) throw notPermitted(permission.manageProject)
  if (comment.deletedByAuthor && !comment.own) throw new Failure('rule', 'Its author deleted this comment, and only they can restore it')
  await sql`
    update comment set deleted_at = null, deleted_by = null
    where organization_id = ${scope.organizationId} and id = ${idComment}`.execute(db)
  await recordChanges(db, scope, [deletionChange(scope, idComment, comment.versions, false)])
  return { Success: 1 as const }
})
