import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/attachments'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, notPermitted } from '../../../lib/failure.ts'
import { deletionChange, lockAttachment } from './deletion.ts'
import { requireFewerAttachments } from './store-attachment.ts'

export const restoreAttachment = implement(contract.restoreAttachment, async ({ db, scope, input: { idAttachment } }) => {
  const attachment = await lockAttachment(db, scope, idAttachment)
  if (!attachment.deleted) return { Success: 1 as const }
  // As with comments: only who added it restores what they deleted themselves, and only a manager what a manager deleted.
  if (!attachment.deletedByOwner && !attachment.isManager) throw notPermitted(permission.manageProject)
  if (attachment.deletedByOwner && !attachment.own)
    throw new Failure('rule', 'The person who added this attachment deleted it, and only they can restore it')
  await requireFewerAttachments(db, scope)
  await recordChanges(db, scope, [deletionChange(scope, attachment.name, false)])
  await sql`
    update attachment set deleted_at = null, deleted_by = null
    where organization_id = ${scope.organizationId} and id = ${idAttachment}`.execute(db)
  return { Success: 1 as const }
})
