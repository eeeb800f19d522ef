import * as contract from '@tessera/contract/tickets/attachments'
import { run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { isOwnStorage } from '../../../storage/belonging.ts'
import { fileDisposition } from '../../../upload/file-name.ts'

const visible = statement(
  { name: text, content_type: text, bytes: int8, storage_key: text },
  `
  select a.name, a.content_type, a.bytes, a.storage_key
  from attachment a
  join ticket t on t.organization_id = $1 and t.id = a.ticket_id
  left join project_member m on m.organization_id = $1 and m.project_id = t.project_id and m.user_id = $3
  where a.organization_id = $1 and a.id = $2 and a.deleted_at is null and ($4::boolean or m.permissions & 1 = 1)`,
)

/** Raster images only: an SVG is a document that may contain scripts. */
const shownTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

export const attachmentDownload = implement(contract.attachmentDownload, async ({ db, scope, input, system, request, reply }) => {
  const [file] = await run(db, visible, [scope.organizationId, Number(input.id), scope.userId, scope.admin])
  if (!file) throw notFound()
  const isInline = input.inline === '1'
  if (isInline && !shownTypes.has(file.content_type)) throw new Failure('media_type', 'This file is not a picture that a page can show')
  const bytes = await system.storage.read(file.storage_key)
  if (!bytes) {
    // Another disk may be mounted, or none.
    if (!(await isOwnStorage(db, system.storage).catch(() => false)))
      throw new Failure('unavailable', 'The storage of attachments is not available')
    request.log.error({ attachment: input.id, storageKey: file.storage_key }, 'an attachment without its file')
    throw notFound()
  }
  reply
    .type(file.content_type)
    .header('content-length', file.bytes)
    .header('content-disposition', fileDisposition(file.name, isInline ? 'inline' : 'attachment'))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'private, no-store')
  return bytes
})
