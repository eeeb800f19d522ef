import { newStorageKey, type Storage } from '../../storage/storage.ts'
import { cleanFileName } from '../../upload/file-name.ts'
import type { ImportContext } from './context.ts'

/** Stores the full version of a shortened text as a file of the ticket. Its key is added to `kept`; without a storage nothing happens. Returns its size. */
export async function attachText(
  { db, organizationId }: ImportContext,
  storage: Storage | undefined,
  { ticketId, name, text }: { ticketId: number; name: string; text: string },
  kept: string[],
) {
  if (!storage) return 0
  const incoming = await storage.receive()
  try {
    await incoming.write(Buffer.from(text))
    const key = newStorageKey(organizationId)
    await incoming.keep(key)
    kept.push(key)
    await db
      .insertInto('attachment')
      .values({
        organization_id: organizationId,
        ticket_id: ticketId,
        name: cleanFileName(name) || 'text.txt',
        content_type: 'text/plain',
        bytes: incoming.bytes,
        sha256: incoming.sha256(),
        storage_key: key,
      })
      .execute()
    return incoming.bytes
  } finally {
    await incoming.discard()
  }
}
