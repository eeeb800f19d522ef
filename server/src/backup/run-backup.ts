import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Connection, type Db, queryRows } from '../db/db.ts'
import { int8, text } from '../db/shape.ts'
import { explain } from '../operator-error.ts'
import type { Storage } from '../storage/storage.ts'
import { type Proof, proveBackup } from './prove-backup.ts'
import { type BackupFigures, writeBackup } from './write-backup.ts'

export interface BackupContext {
  config: Config
  db: Db
  connection: Connection
  storage: Storage
}

export interface BackupResult extends BackupFigures {
  file: string
  writeMs: number
  /** Null when it was not asked for. */
  proof: (Proof & { ms: number }) | null
  removed: string[]
}

const name = /^tessera-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/

export function backupDirectory({ backup, data }: Config) {
  return path.resolve(backup.directory ?? path.join(data, 'backups'))
}

/** Writes a backup, verifies it by a restore, records both, then deletes the oldest. A failure is recorded and thrown. */
export async function runBackup(
  context: BackupContext,
  { to, prove = true }: { to?: string; prove?: boolean } = {},
): Promise<BackupResult> {
  const { config, db, connection, storage } = context
  const rows = await queryRows(db, { id: int8, file: text })`
    insert into backup_run (location)
    values (coalesce(${to ?? null}, ${backupDirectory(config) + path.sep} || to_char(now() at time zone 'UTC', '"tessera-"YYYY-MM-DD"T"HH24-MI-SS"Z.tar.gz"')))
    returning id, location as file`
  const { id, file } = rows[0] as { id: number; file: string }
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    if (to === undefined) await removePartial(path.dirname(file))
    const began = performance.now()
    const figures = await writeBackup(connection, storage, file)
    const writeMs = performance.now() - began
    await sql`update backup_run set finished_at = now(), bytes = ${figures.bytes} where id = ${id}`.execute(db)
    const proof = prove ? await timed(() => proveBackup(file, connection)) : null
    if (proof) await sql`update backup_run set proven_at = now() where id = ${id}`.execute(db)
    return { ...figures, file, writeMs, proof, removed: to === undefined ? await removeOldest(context) : [] }
  } catch (error) {
    await sql`update backup_run set finished_at = coalesce(finished_at, now()), error = ${explain(error).split('\n')[0] ?? ''} where id = ${id}`
      .execute(db)
      .catch(() => {})
    throw error
  }
}

async function timed(prove: () => Promise<Proof>) {
  const began = performance.now()
  return { ...(await prove()), ms: performance.now() - began }
}

/** Only files with a name of ours, and never the newest proven one. */
async function removeOldest({ config, db }: BackupContext) {
  const directory = backupDirectory(config)
  const files = (await readdir(directory)).filter(file => name.test(file)).sort()
  const rows = await queryRows(db, { location: text })`
    select location from backup_run where proven_at is not null order by proven_at desc limit 1`
  const surplus = files
    .slice(0, Math.max(0, files.length - config.backup.keep))
    .map(file => path.join(directory, file))
    .filter(file => file !== rows[0]?.location)
  for (const file of surplus) await rm(file, { force: true })
  return surplus
}

/** Partial files of killed processes; no backup takes a day. */
async function removePartial(directory: string) {
  for (const file of await readdir(directory)) {
    const partial = path.join(directory, file)
    if (name.test(file.replace(/\.partial$/, '')) && file.endsWith('.partial') && Date.now() - (await stat(partial)).mtimeMs > 86_400_000)
      await rm(partial, { force: true })
  }
}
