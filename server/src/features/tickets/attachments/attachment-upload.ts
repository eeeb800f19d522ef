import * as contract from '@tessera/contract/tickets/attachments'
import { implement } from '../../../http/implement.ts'
import { requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import { invalid } from '../../../lib/failure.ts'
import { addAttachment } from './store-attachment.ts'

/** Writes the row; upload/upload.ts has already put the file into the storage. */
export const attachmentUpload = implement(contract.attachmentUpload, async ({ db, scope, request: { upload } }) => {
  requireOpen(scope)
  if (!upload) throw invalid('file', 'is missing')
  const id = await addAttachment(db, scope, upload.file)
  // After the waits for the ticket and for the organization's room.
  await requireStillOpen(db, scope, scope.ticketId)
  upload.isUsed = true
  return { Success: 1 as const, id, name: upload.file.name }
})
