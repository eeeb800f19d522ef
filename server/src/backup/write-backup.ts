import type { Connection } from '../db/connections/connect.ts'
import { tableNames } from '../db/tables.ts'
import { version } from '../lib/version.ts'
import type { Storage } from '../storage/storage.ts'
import { createArchive } from './archive.ts'
import { listAttachments } from './attachments/rows.ts'
import { type FileFigures, writeFiles } from './attachments/write-files.ts'
import { beginSnapshot } from './database/snapshot.ts'
import { leftOut, openClient, readTable, type Sequence, sequencesOf, type Table, type TableDigest, tablesOf } from './database/tables.ts'

/** Format 1 listed all files in the manifest: it is still restored. */
export const format = 2

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
/** The last entry: the digests of the tables before it, and the number of files. Each file's digest is in its attachment's row. */
export interface Manifest {
  tables: TableDigest[]
  sequences: Sequence[]
  files: FileFigures['files']
  /** Files that were missing or damaged. A damaged one is in the archive as it was found. */
  lost: number
  /** Their keys, in format 1. */
  lostKeys?: string[]
}

export interface BackupFigures extends FileFigures {
  bytes: number
  rows: number
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
    await listAttachments(client)
    // Read last, so that ids assigned since the snapshot are not reused after a restore.
    const sequences = await sequencesOf(client)
    await client.query('commit')

    const figures = await writeFiles(client, storage, archive, beforeEntry)
    const manifest: Manifest = { tables: digests, sequences, files: figures.files, lost: figures.lost.count }
    await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest, null, 1)))
    const bytes = await archive.finish()
    return { ...figures, bytes, rows: digests.reduce((sum, { rows }) => sum + rows, 0) }
  } catch (error) {
    await archive.discard()
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}
