import { createHash } from 'node:crypto'
import type { Connection } from '../db/db.ts'
import { version } from '../lib/version.ts'
import { OperatorError } from '../operator-error.ts'
import type { Storage } from '../storage/storage.ts'
import { createArchive, hashed } from './archive.ts'
import { beginSnapshot } from './snapshot.ts'
import { leftOut, openClient, readTable, type Sequence, sequencesOf, type Table, type TableDigest, tablesOf } from './tables.ts'

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
}

export interface BackupFigures {
  bytes: number
  rows: number
  files: number
  fileBytes: number
}

/**
 * Writes the database, as it is at one moment, and all attachments to one archive while others go on working: every table by COPY in one
 * REPEATABLE READ snapshot, then the files. Files never change and outlive their rows, so each row in the snapshot finds its file.
 */
export async function writeBackup(connection: Connection, storage: Storage, file: string): Promise<BackupFigures> {
  const client = await openClient(connection)
  const archive = createArchive(file)
  try {
    await beginSnapshot(client, connection)
    const { rows: server } = await client.query(`select current_setting('server_version') as version`)
    const { rows: migrations } = await client.query<{ name: string }>('select name from migration order by name')
    const tables = await tablesOf(client)
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
        await readTable(client, table, content => archive.add(`tables/${table.name}/${String(++part).padStart(6, '0')}.copy`, content)),
      )
    }
    const { rows: attachments } = await client.query<{ storage_key: string; bytes: string; sha256: Buffer }>(
      'select storage_key, bytes, sha256 from attachment order by organization_id, id',
    )
    // Read last, so that ids assigned since the snapshot are not reused after a restore.
    const sequences = await sequencesOf(client)
    await client.query('commit')

    const files: Manifest['files'] = []
    for (const { storage_key: key, bytes, sha256 } of attachments) {
      const content = await storage.read(key)
      if (!content) throw new OperatorError(`The attachment file ${key} is missing: tessera doctor names what it belongs to.`)
      const hash = createHash('sha256')
      await archive.addStream(`files/${key}`, Number(bytes), hashed(content, hash))
      const found = hash.digest()
      if (!found.equals(sha256)) throw new OperatorError(`The attachment file ${key} is damaged: its SHA-256 is not that of its row.`)
      files.push({ key, bytes: Number(bytes), sha256: found.toString('hex') })
    }
    await archive.add('manifest.json', Buffer.from(JSON.stringify({ tables: digests, sequences, files } satisfies Manifest, null, 1)))
    const bytes = await archive.finish()
    return {
      bytes,
      rows: digests.reduce((sum, { rows }) => sum + rows, 0),
      files: files.length,
      fileBytes: files.reduce((sum, each) => sum + each.bytes, 0),
    }
  } catch (error) {
    await archive.discard()
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}
