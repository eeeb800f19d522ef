import { permission } from '@tessera/contract/permissions'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4 } from '../../../db/shape.ts'
import { holds, requirePermission, requireStillOpen, type TicketScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { commentReference } from '../history/stored-values.ts'

/** Locks a comment for its author or for somebody who manages the project; 422 for others. `isManager` is as of now. */
export async function lockComment(db: Db, scope: TicketScope, idComment: number) {
  const rows = await queryRows(db, { own: bool, versions: int4, deleted: bool, deletedByAuthor: bool })`
    select coalesce(author_id = ${scope.userId}, false) as own, versions, deleted_at is not null as deleted,
      coalesce(deleted_by = author_id, false) as "deletedByAuthor" from comment
    where organization_id = ${scope.organizationId} and id = ${idComment} and ticket_id = ${scope.ticketId} for update`
  const [comment] = rows
  if (!comment) throw notFound()
  const requireChangeable = (caller: TicketScope) => {
    if (!(comment.own && holds(caller, permission.comment))) requirePermission(caller, permission.manageProject)
  }
  requireChangeable(scope)
  const present = await requireStillOpen(db, scope, scope.ticketId)
  requireChangeable(present)
  return { ...comment, isManager: holds(present, permission.manageProject) }
}

/** The history of a deletion or of its undo. Neither is mailed: a person who deletes a text does not want it sent again. */
export function deletionChange(scope: TicketScope, idComment: number, versions: number, isDeletion: boolean): Change {
  const reference = commentReference(idComment, versions)
  return { ...ticketChange(scope, 'Comment', isDeletion ? reference : null, isDeletion ? null : reference), quiet: true }
}
