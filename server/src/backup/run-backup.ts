import { constants } from 'node:fs'
import { access, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Connection } from '../db/connections/connect.ts'
import { type Db, queryRows } from '../db/db.ts'
import { bool, int8, text } from '../db/shape.ts'
import { OperatorError } from '../operator-error.ts'
import { explain } from '../process/explain.ts'
import { NoRoom, requireRoom } from '../process/health/disk-space.ts'
import { requireOwnStorage } from '../storage/belonging.ts'
import type { Storage } from '../storage/storage.ts'
import { databaseFolder } from './database/scratch.ts'
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
  /** Null when none was requested, or when there was no room for it. */
  proof: (Proof & { ms: number }) | null
  /** What the backup lacks, in one line: files, or its proof. */
  warning: string | null
  removed: string[]
}

interface BackupOptions {
  to?: string
  prove?: boolean
  signal?: AbortSignal
}

const name = /^tessera-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/

function backupDirectory({ backup, data }: Config) {
  return path.resolve(backup.directory ?? path.join(data, 'backups'))
}

/**
 * Writes a backup, verifies it by a restore, records both, then deletes the oldest. A failure is recorded and thrown. Only for the holder of the
 * backup lock: every other run without an end was interrupted.
 */
export async function runBackup(context: BackupContext, { to, prove = true, signal }: BackupOptions = {}): Promise<BackupResult> {
  const { db } = context
  await sql`update backup_run set error = 'The server stopped before the backup was complete.' where finished_at is null and error is null`.execute(
    db,
  )
  const { id, file } = await beginRun(context, to)
  try {
    if (to === undefined) await prepareDirectory(context)
    const result = await writeAndProve(context, file, { prove, ...(signal ? { signal } : {}) })
    await sql`
      update backup_run set finished_at = now(), bytes = ${result.bytes}, warning = ${result.warning}, proven_at = case when ${result.proof !== null} then now() end
      where id = ${id}`.execute(db)
    return { ...result, removed: to === undefined ? await removeSurplus(context) : [] }
  } catch (error) {
    // An interrupted run has no end.
    await sql`
      update backup_run set finished_at = case when ${signal?.aborted ?? false} then null else now() end, error = ${explain(error).split('\n')[0] ?? ''}
      where id = ${id}`
      .execute(db)
      .catch(() => {})
    if (to === undefined) await removeSurplus(context).catch(() => {})
    throw error
  }
}

/** Records that a run began. The name of its file has the time to the second: a backup made in this second keeps its file, and this one waits. */
async function beginRun({ config, db }: BackupContext, to: string | undefined) {
  const directory = backupDirectory(config) + path.sep
  for (;;) {
    const taken = to === undefined ? await readdir(directory).catch(() => []) : []
    const [run] = await queryRows(db, { id: int8, file: text })`
      insert into backup_run (location)
      select coalesce(${to ?? null}, ${directory} || name) from to_char(now() at time zone 'UTC', '"tessera-"YYYY-MM-DD"T"HH24-MI-SS"Z.tar.gz"') name
      where name <> all(${taken}::text[])
      returning id, location as file`
    if (run) return run
    await setTimeout(100)
  }
}

async function writeAndProve({ config, db, connection, storage }: BackupContext, file: string, { prove, signal }: BackupOptions) {
  await requireOwnStorage(db, storage)
  const began = performance.now()
  const figures = await writeBackup(connection, storage, file, async () => {
    signal?.throwIfAborted()
    await requireRoom(path.dirname(file))
  })
  const result = { ...figures, file, writeMs: performance.now() - began }
  const { lost } = figures
  const warnings = lost.count > 0 ? [`Missing or damaged attachment files (${lost.count}): ${lost.names.join(', ')}.`] : []
  if (!prove) return { ...result, proof: null, warning: warnings[0] ?? null }
  const proofBegan = performance.now()
  const [size] = await queryRows(db, { bytes: int8 })`select pg_database_size(current_database()) as bytes`
  const proof = await proveBackup(file, connection, {
    folder: databaseFolder(config),
    bytes: size?.bytes ?? 0,
    ...(signal ? { signal } : {}),
  }).catch((error: Error) => {
    if (!(error instanceof NoRoom)) throw error
    warnings.push(`It was not proven by a restore: ${error.message}`)
    return null
  })
  return {
    ...result,
    proof: proof && { ...proof, ms: performance.now() - proofBegan },
    warning: warnings.length > 0 ? warnings.join(' ') : null,
  }
}

/**
 * Creates the folder for backups if necessary. If it is the default one, creates the data directory too, which an external database does not
 * need. Creates no other parents: `recursive` never returns where no folder can be created, as in /proc. Throws OperatorError unless the
 * folder is writable.
 */
export async function makeBackupDirectory(config: Config) {
  const directory = backupDirectory(config)
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The folder for backups, ${directory}, cannot be used (${error.code}): correct TESSERA_BACKUP_DIRECTORY, or make it a folder that this user may write to.`,
    )
  }
  const folders = config.backup.directory === undefined ? [config.data, directory] : [directory]
  for (const folder of folders) await mkdir(folder, { mode: 0o700 }).catch(error => error.code !== 'EEXIST' && refuse(error))
  // With the dot, a file of this name is refused too (ENOTDIR).
  await access(`${directory}${path.sep}.`, constants.W_OK | constants.X_OK).catch(refuse)
}

/** The same, without the partial files of interrupted runs. */
async function prepareDirectory(context: BackupContext) {
  await makeBackupDirectory(context.config)
  const { runs } = await ownRuns(context, '.partial')
  for (const { location } of runs) await rm(`${location}.partial`, { force: true })
}

/** The archives in the folder that this database's runs wrote, or began: another installation may keep its own there. */
async function ownRuns({ config, db }: BackupContext, suffix = '') {
  const directory = backupDirectory(config)
  const names = (await readdir(directory)).filter(file => file.endsWith(suffix)).map(file => file.slice(0, file.length - suffix.length))
  const files = names
    .filter(file => name.test(file))
    .sort()
    .map(file => path.join(directory, file))
  const runs = await queryRows(db, { location: text, failed: bool, proven: bool })`
    select location, error is not null as failed, proven_at is not null as proven from backup_run where location = any(${files})
    order by proven_at desc nulls last`
  const own = new Set(runs.map(({ location }) => location))
  return { files: files.filter(file => own.has(file)), runs }
}

/**
 * Deletes the oldest archives beyond the limit, but never the newest proven one. Keeps a failed one only if it is the newest of all. Returns the
 * deleted files.
 */
async function removeSurplus(context: BackupContext) {
  const { files, runs } = await ownRuns(context)
  const failed = new Set(runs.filter(run => run.failed).map(({ location }) => location))
  const good = files.filter(file => !failed.has(file))
  const newestProven = runs.find(({ proven }) => proven)?.location
  const surplus = [
    ...good.slice(0, Math.max(0, good.length - context.config.backup.keep)).filter(file => file !== newestProven),
    ...files.filter(file => failed.has(file) && file !== files.at(-1)),
  ]
  for (const file of surplus) await rm(file, { force: true })
  return surplus
}
