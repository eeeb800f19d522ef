import type pg from 'pg'

interface AttachmentRow {
  name: string
  storage_key: string
  bytes: string
  sha256: Buffer
}

const page = 1000

/**
 * Begins a list of all attachments as they are now, in the order of their keys. It outlives the transaction: PostgreSQL then keeps the list in a
 * temporary file, so that no snapshot is held while the files are copied.
 */
export async function listAttachments(client: pg.Client) {
  await client.query(
    'declare attachments no scroll cursor with hold for select name, storage_key, bytes, sha256 from attachment order by organization_id, id',
  )
}

/** The list, of which this process holds one page at a time. */
export async function* listedAttachments(client: pg.Client): AsyncGenerator<AttachmentRow> {
  for (;;) {
    const { rows } = await client.query<AttachmentRow>(`fetch ${page} from attachments`)
    yield* rows
    if (rows.length < page) break
  }
  await client.query('close attachments')
}
