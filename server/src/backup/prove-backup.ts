import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { Connection } from '../db/db.ts'
import { startEmbedded } from '../db/embedded/start-embedded.ts'
import { OperatorError } from '../operator-error.ts'
import { differences, restoreBackup } from './restore-backup.ts'

export interface Proof {
  tables: number
  rows: number
  files: number
}

/** Restores the archive into a scratch database, reads everything back and compares: rows, digests, and each attachment's file with its row. */
export async function proveBackup(file: string, connection: Connection): Promise<Proof> {
  await using scratch = await scratchDatabase(connection)
  const { manifest } = await restoreBackup(
    file,
    scratch.connection,
    async (_key, _size, content) => {
      for await (const _ of content) {
        // read to the end for its digest
      }
    },
    async (client, restored) => {
      const wrong = await differences(client, restored)
      const hashes = new Map(restored.manifest.files.map(({ key, sha256 }) => [key, sha256]))
      const { rows } = await client.query<{ storage_key: string; sha256: Buffer }>('select storage_key, sha256 from attachment')
      for (const row of rows)
        if (hashes.get(row.storage_key) !== row.sha256.toString('hex')) wrong.push(`attachment ${row.storage_key}: no file that fits`)
      if (wrong.length > 0) throw new OperatorError(`The restored database differs: ${wrong.slice(0, 5).join('; ')}.`)
    },
  )
  return {
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.length,
  }
}

/** A database beside the real one; if this user may not create one, in a separate bundled PostgreSQL. */
async function scratchDatabase(connection: Connection): Promise<{ connection: Connection } & AsyncDisposable> {
  const name = `tessera_proof_${randomUUID().slice(0, 8)}`
  const admin = new pg.Client(connection as pg.ClientConfig)
  admin.on('error', () => {})
  await admin.connect()
  try {
    await admin.query(`create database ${name} template template0`)
  } catch (error) {
    await admin.end()
    if ((error as { code?: string }).code !== '42501') throw error
    return embeddedScratch()
  }
  return {
    connection: withDatabase(connection, name),
    async [Symbol.asyncDispose]() {
      await admin.query(`drop database if exists ${name} with (force)`).catch(() => {})
      await admin.end().catch(() => {})
    },
  }
}

function withDatabase(connection: Connection, name: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database: name }
  const url = new URL(connection.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

async function embeddedScratch(): Promise<{ connection: Connection } & AsyncDisposable> {
  const directory = mkdtempSync(path.join(tmpdir(), 'tessera-proof-'))
  chmodSync(directory, 0o711)
  const server = await startEmbedded({ directory, durable: false })
  return {
    connection: server.connection,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
