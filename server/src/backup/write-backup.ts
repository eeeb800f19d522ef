import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Connection } from '../db/connections/connect.ts'
import { tableNames } from '../db/tables.ts'
import { version } from '../lib/version.ts'
import type { Storage } from '../storage/storage.ts'
import { createArchive, hashed } from './archive.ts'
import { beginSnapshot } from './database/snapshot.ts'
import { leftOut, openClient, readTable, type Sequence, sequencesOf, type Table, type TableDigest, tablesOf } from './database/tables.ts'

export const format = 1

/** The first entry: describes the ones that follow. */
export interface Head {
  format: number
  version: string
  createdAt: string
  postgres: string
  migrations: string[]
  tables: Table[]
  leftOut: string[]
}
/** The last entry: the digests of everything before it. */
export interface Manifest {
  tables: TableDigest[]
  sequences: Sequence[]
  files: { key: string; bytes: number; sha256: string }[]
  /** Keys of files that were missing or damaged. A damaged one is in the archive as it was found. */
  lost?: string[]
}

export interface BackupFigures {
  bytes: number
  rows: number
  files: number
  fileBytes: number
  /** Missing or damaged files of attachments: name and key. */
  lost: string[]
}

interface Attachment {
  organization_id: string
  id: string
  name: string
  storage_key: string
  bytes: string
  sha256: Buffer
}

/**
 * Writes the database, as it is at one moment, and all attachments to one archive while others go on working: every table by COPY in one
 * REPEATABLE READ snapshot, then the files. `beforeEntry` throws to stop it.
 */
export async function writeBackup(
  connection: Connection,
  storage: Storage,
  file: string,
  beforeEntry: () => Promise<void> = async () => {},
): Promise<BackupFigures> {
  const client = await openClient(connection)
  const archive = createArchive(file)
  try {
    await beforeEntry()
    await beginSnapshot(client, connection)
    const { rows: server } = await client.query(`select current_setting('server_version') as version`)
    const { rows: migrations } = await client.query<{ name: string }>('select name from migration order by name')
    // Somebody else may have a table in the same schema.
    const tables = (await tablesOf(client)).filter(({ name }) => (tableNames as readonly string[]).includes(name))
    const head: Head = {
      format,
      version,
      createdAt: new Date().toISOString(),
      postgres: server[0].version,
      migrations: migrations.map(({ name }) => name),
      tables,
      leftOut: [...leftOut],
    }
    await archive.add('head.json', Buffer.from(JSON.stringify(head, null, 1)))
    const digests: TableDigest[] = []
    for (const table of tables.filter(({ name }) => !leftOut.has(name))) {
      let part = 0
      digests.push(
        await readTable(client, table, async content => {
          await beforeEntry()
          await archive.add(`tables/${table.name}/${String(++part).padStart(6, '0')}.copy`, content)
        }),
      )
    }
    const { rows: attachments } = await client.query<Attachment>(
      'select organization_id, id, name, storage_key, bytes, sha256 from attachment order by organization_id, id',
    )
    // Read last, so that ids assigned since the snapshot are not reused after a restore.
    const sequences = await sequencesOf(client)
    await client.query('commit')

    const files: Manifest['files'] = []
    const lost: Attachment[] = []
    for (const attachment of attachments) {
      await beforeEntry()
      const { storage_key: key, bytes, sha256 } = attachment
      const content = await readFile(storage, key)
      const hash = createHash('sha256')
      if (content) await archive.addStream(`files/${key}`, Number(bytes), fitted(hashed(content, hash), Number(bytes)))
      if (content && hash.digest().equals(sha256)) files.push({ key, bytes: Number(bytes), sha256: sha256.toString('hex') })
      else lost.push(attachment)
    }
    const manifest: Manifest = { tables: digests, sequences, files, lost: lost.map(attachment => attachment.storage_key) }
    await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest, null, 1)))
    const bytes = await archive.finish()
    return {
      bytes,
      rows: digests.reduce((sum, { rows }) => sum + rows, 0),
      files: files.length,
      fileBytes: files.reduce((sum, each) => sum + each.bytes, 0),
      lost: await namesOf(client, lost),
    }
  } catch (error) {
    await archive.discard()
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Null when the file is missing or cannot be opened. Throws when the whole storage is unreachable. */
async function readFile(storage: Storage, key: string) {
  try {
    return await storage.read(key)
  } catch (error) {
    if ((await storage.readMark().catch(() => null)) === null) throw error
    return null
  }
}

/** Exactly `size` bytes, because the archive names the size before the content. A file that cannot be read to its end is filled with zeros. */
async function* fitted(content: AsyncIterable<Buffer>, size: number) {
  let left = size
  try {
    for await (const chunk of content) {
      if (left === 0) break
      const part = chunk.subarray(0, left)
      left -= part.length
      yield part
    }
  } catch {
    // Its digest says that it is damaged.
  }
  if (left > 0) yield Buffer.alloc(left)
}

/** Those that still exist: a ticket purged since the snapshot has taken its files along. */
async function namesOf(client: pg.Client, attachments: Attachment[]) {
  const { rows } = await client.query<{ storage_key: string }>(
    `select storage_key from attachment
    where (organization_id, id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [attachments.map(each => each.organization_id), attachments.map(each => each.id)],
  )
  const there = new Set(rows.map(row => row.storage_key))
  return attachments.filter(each => there.has(each.storage_key)).map(({ name, storage_key }) => `${name} (${storage_key})`)
}
