import { permission } from '@tessera/contract/permissions'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, text } from '../../../db/shape.ts'
import { holds, requirePermission, requireStillOpen, type TicketScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { lockAttachments } from './store-attachment.ts'

/**
 * Locks an attachment of the ticket for whoever added it or manages the project; 422 for others, 404 if the clean-up has removed it. `isManager` is
 * as of now.
 */
export async function lockAttachment(db: Db, scope: TicketScope, idAttachment: number) {
  await lockAttachments(db, scope)
  const [attachment] = await queryRows(db, { name: text, own: bool, deleted: bool, deletedByOwner: bool })`
    select name, coalesce(created_by = ${scope.userId}, false) as own, deleted_at is not null as deleted,
      coalesce(deleted_by = created_by, false) as "deletedByOwner" from attachment
    where organization_id = ${scope.organizationId} and ticket_id = ${scope.ticketId} and id = ${idAttachment}
    for no key update`
  if (!attachment) throw notFound()
  const present = await requireStillOpen(db, scope, scope.ticketId)
  if (!(attachment.own && holds(present, permission.addAttachments))) requirePermission(present, permission.manageProject)
  return { ...attachment, isManager: holds(present, permission.manageProject) }
}

/** The history of a deletion or of its undo. Like that of a comment, neither is mailed. */
export function deletionChange(scope: TicketScope, name: string, isDeletion: boolean): Change {
  return { ...ticketChange(scope, 'Attachment', isDeletion ? name : null, isDeletion ? null : name), quiet: true }
}
