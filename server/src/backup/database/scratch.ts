import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import type { Connection } from '../../db/connections/connect.ts'
import { findPostmaster } from '../../db/embedded/process/postmaster.ts'
import { startEmbedded } from '../../db/embedded/start-embedded.ts'
import { requireRoom } from '../../process/health/disk-space.ts'
import { openClient } from './tables.ts'

interface Scratch extends AsyncDisposable {
  connection: Connection
  /** The folder of its files; null when they are on another server. */
  folder: string | null
}

export interface ScratchOptions {
  /** From `databaseFolder`. */
  folder: string | null
  /** How large the restored database will be. */
  bytes: number
}

/** The folder of the bundled PostgreSQL's files; null when the database is on another server. */
export function databaseFolder({ databaseUrl, data }: Config) {
  return databaseUrl === undefined ? path.join(data, 'postgres') : null
}

/** A new database's catalogs, and the log of creating its tables. */
const overhead = 64 * 2 ** 20

/** A scratch database on the same server; if this user may not create one, in a separate bundled PostgreSQL. Throws NoRoom when it would fill the disk. */
export async function scratchDatabase(connection: Connection, { folder, bytes }: ScratchOptions): Promise<Scratch> {
  if (folder !== null) await requireRoom(folder, bytes + overhead)
  const admin = await openClient(connection)
  try {
    const prefix = await prefixOf(admin)
    const name = prefix + randomUUID().slice(0, 8)
    const isAllowed = await admin.query(`create database ${name} template template0`).then(
      () => true,
      error => {
        if (error.code === '42501') return false
        throw error
      },
    )
    if (!isAllowed) {
      await admin.end()
      return await embeddedScratch(prefix, bytes)
    }
    return {
      connection: withDatabase(connection, name),
      folder,
      async [Symbol.asyncDispose]() {
        await admin.query(`drop database if exists ${name} with (force)`).catch(() => {})
        await admin.end().catch(() => {})
      },
    }
  } catch (error) {
    await admin.end().catch(() => {})
    throw error
  }
}

/** Removes the scratch databases of proofs that were killed. Only for the holder of the backup lock: no proof is running then. */
export async function removeLeftovers(client: pg.Client) {
  const prefix = await prefixOf(client)
  const { rows } = await client.query<{ name: string }>('select datname as name from pg_database where starts_with(datname, $1)', [prefix])
  for (const { name } of rows) await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const directory = path.join(tmpdir(), name)
    if (name.startsWith(prefix) && !findPostmaster(path.join(directory, 'postgres')))
      await rm(directory, { recursive: true, force: true }).catch(() => {})
  }
}

/** Names the database to which the proof belongs, because one server can have several installations. */
async function prefixOf(client: pg.Client) {
  const { rows } = await client.query<{ oid: string }>('select oid::text from pg_database where datname = current_database()')
  return `tessera_proof_${rows[0]?.oid}_`
}

function withDatabase(connection: Connection, name: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database: name }
  const url = new URL(connection.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

async function embeddedScratch(prefix: string, bytes: number): Promise<Scratch> {
  await requireRoom(tmpdir(), bytes + overhead)
  const directory = mkdtempSync(path.join(tmpdir(), prefix))
  try {
    chmodSync(directory, 0o711)
    const server = await startEmbedded({ directory, durable: false })
    return {
      connection: server.connection,
      folder: directory,
      async [Symbol.asyncDispose]() {
        await server.stop()
        await rm(directory, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}
