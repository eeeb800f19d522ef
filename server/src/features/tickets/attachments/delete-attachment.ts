import * as contract from '@tessera/contract/tickets/attachments'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { deletionChange, lockAttachment } from './deletion.ts'

export const deleteAttachment = implement(contract.deleteAttachment, async ({ db, scope, input: { idAttachment } }) => {
  const attachment = await lockAttachment(db, scope, idAttachment)
  if (attachment.deleted) return { Success: 1 as const }
  await recordChanges(db, scope, [deletionChange(scope, attachment.name, true)])
  await sql`
    update attachment set deleted_at = now(), deleted_by = ${scope.userId}
    where organization_id = ${scope.organizationId} and id = ${idAttachment}`.execute(db)
  return { Success: 1 as const }
})
