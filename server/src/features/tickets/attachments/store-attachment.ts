import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../../db/db.ts'
import { int4, int8 } from '../../../db/shape.ts'
import { recordChanges, ticketChange } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { newStorageKey, type Storage } from '../../../storage/storage.ts'
import { cleanFileName } from '../../../upload/file-name.ts'
import type { PictureSize } from '../../../upload/picture-size.ts'
import type { KeptFile } from '../../../upload/upload.ts'

interface Place {
  organizationId: number
  projectId: number
  ticketId: number
  userId: number
}

const hold = statement({ id: int8 }, 'select id from ticket where organization_id = $1 and id = $2 for no key update')
const count = statement(
  { files: int4 },
  'select count(*)::int as files from attachment where organization_id = $1 and ticket_id = $2 and deleted_at is null',
)

/** Every change of a ticket's attachments takes its turn here, before it takes other locks. 404 if the ticket was purged. */
export async function lockAttachments(db: Db, { organizationId, ticketId }: Pick<Place, 'organizationId' | 'ticketId'>) {
  const [ticket] = await run(db, hold, [organizationId, ticketId])
  if (!ticket) throw notFound()
}

/** Throws 422 when the ticket has as many attachments as it can have. */
export async function requireFewerAttachments(db: Db, { organizationId, ticketId }: Pick<Place, 'organizationId' | 'ticketId'>) {
  const [present] = await run(db, count, [organizationId, ticketId])
  if ((present?.files ?? 0) >= limits.attachmentsPerTicket) {
    throw new Failure('rule', `A ticket has at most ${limits.attachmentsPerTicket} attachments`)
  }
}

/**
 * Writes the row of a file that already lies in the storage, within the organization's quota, with its history. Returns the id. It may have waited:
 * the caller asks for rights afterwards.
 */
export async function addAttachment(db: Db, place: Place, file: KeptFile) {
  const { organizationId, ticketId, userId } = place
  await lockAttachments(db, place)
  await requireFewerAttachments(db, place)
  const rows = await queryRows(db, { id: int8 })`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key, created_by, width, height)
    values (${organizationId}, ${ticketId}, ${file.name}, ${file.contentType}, ${file.bytes}, ${file.sha256}, ${file.storageKey}, ${userId},
      ${file.pixels?.width ?? null}, ${file.pixels?.height ?? null})
    returning id`
  await recordChanges(db, place, [ticketChange(place, 'Attachment', null, file.name)])
  // Last, because all uploads of the organization wait for this row.
  const room = await sql`
    update organization set attachment_bytes = attachment_bytes + ${file.bytes}
    where id = ${organizationId} and attachment_bytes + ${file.bytes} <= attachment_quota returning 1`.execute(db)
  if (room.rows.length === 0) throw new Failure('rule', 'The organization has no room left for attachments')
  return rows[0]?.id as number
}

interface NewAttachment extends Place {
  name: string
  contentType: string
  content: Buffer | string
  pixels?: PictureSize
}

/**
 * Stores a file that the product itself writes, such as those of the demo, of any type. Part of the caller's transaction: should that
 * fail, the file is an orphan, which the clean-up removes.
 */
export async function storeAttachment(db: Db, storage: Storage, { name, contentType, content, pixels, ...place }: NewAttachment) {
  const incoming = await storage.receive()
  try {
    await incoming.write(typeof content === 'string' ? Buffer.from(content) : content)
    const storageKey = newStorageKey(place.organizationId)
    await incoming.keep(storageKey)
    const file = {
      name: cleanFileName(name) || 'file.txt',
      contentType,
      bytes: incoming.bytes,
      sha256: incoming.sha256(),
      ...(pixels && { pixels }),
    }
    return await addAttachment(db, place, { ...file, storageKey })
  } finally {
    await incoming.discard()
  }
}
