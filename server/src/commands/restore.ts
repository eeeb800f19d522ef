import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { whileLocked } from '../backup/backup-lock.ts'
import { contentsOf, dropOwnSchema } from '../backup/database/own-schema.ts'
import { databaseFolder } from '../backup/database/scratch.ts'
import { proveBackup } from '../backup/prove-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { counted } from '../counted.ts'
import { type Db, queryRows } from '../db/db.ts'
import { migrate } from '../db/schema/migrate.ts'
import { bool } from '../db/shape.ts'
import { OperatorError, UsageError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { type CommandContext, onDatabase } from '../process/command.ts'
import { claimStorage, isOwnStorage, requireAnswer } from '../storage/belonging.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'

export const help = `tessera restore FILE.tar.gz
    Reads a backup into an empty installation: stop the server, set TESSERA_DATA to a new directory (or DATABASE_URL to an empty database).
    Everybody has to sign in again; queued mails are not sent.
tessera restore --prove FILE.tar.gz
    Restores into a scratch database, compares everything and leaves nothing behind.`

export async function run(argv: string[]) {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: { prove: { type: 'boolean', default: false } },
  })
  const [given, ...rest] = positionals
  if (given === undefined || rest.length > 0) throw new UsageError('Name the file: tessera restore FILE.tar.gz.')
  const file = path.resolve(given)
  // It may be a pipe, as in: tessera restore <(gpg --decrypt FILE).
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`)
  if (statSync(file).isDirectory()) throw new OperatorError(`${file} is a directory: name a backup in it.`)
  await onDatabase(context => (values.prove ? prove(context, file) : restore(context, file)), { schema: 'any', mayInstall: true })
}

async function prove({ connection, config }: CommandContext, file: string) {
  const proof = await whileLocked(connection, () => proveBackup(file, connection, { folder: databaseFolder(config) }))
  if (!proof) throw new OperatorError('A backup is being made: wait until it is done.')
  console.log(
    `${file} can be restored: ${counted(proof.tables, 'table')}, ${counted(proof.rows, 'row')}, ${counted(proof.files, 'file')} agree.`,
  )
}

async function restore({ db, connection, config, running }: CommandContext, file: string) {
  if (running) throw new OperatorError('The server is running on this data directory: stop it first.')
  const storage = openStorage(config)
  await requireAnswer(storage)
  const hasSchema = await assertEmpty(db, storage, config.data)
  await storage.removeMark()
  if (hasSchema) await dropOwnSchema(db)
  const keep = async (key: string, _size: number, content: AsyncIterable<Buffer>) => {
    const incoming = await storage.receive().catch(notStored)
    try {
      for await (const chunk of content) await incoming.write(chunk).catch(notStored)
      await incoming.keep(key).catch(notStored)
    } finally {
      await incoming.discard()
    }
  }
  try {
    const { head, manifest, skipped } = await restoreBackup(file, connection, keep, forgetPlace)
    await migrate(db)
    await claimStorage(db, storage)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `Restored the backup of ${head.createdAt}: ${counted(rows, 'row')} in ${counted(manifest.tables.length, 'table')}, ${counted(manifest.files.count, 'file')}.`,
    )
    if (manifest.lost > 0) console.log(`${manifest.lost} attachment files were missing or damaged when it was written.`)
    if (skipped.length > 0) console.log(`Left out tables that are not Tessera's: ${skipped.join(', ')}.`)
  } catch (error) {
    // Committed rows need their files. A database that does not answer may have them.
    const isCommitted = await isInUse(db).catch(() => null)
    if (isCommitted) throw lastStepFailed(error as Error)
    // If it does not answer, the next restore says that the storage is not empty.
    if (isCommitted === false) await removeFiles(storage).catch(() => {})
    throw error
  }
}

/** Of a storage that was empty. */
async function removeFiles(storage: Storage) {
  for await (const { key } of storage.list()) await storage.remove(key)
}

function notStored(error: Error): never {
  throw new OperatorError(
    `The attachments cannot be stored (${error.message}): make room, or correct TESSERA_STORAGE, then restore again.`,
    { cause: error },
  )
}

/** The files are in another storage, and the run that wrote the backup has no end in it, as if it had been interrupted. */
async function forgetPlace(client: pg.Client) {
  await client.query('update installation set storage_id = null')
  await client.query('delete from backup_run where finished_at is null and error is null')
}

function lastStepFailed(error: Error) {
  const reason = error.message.replace(/\.$/, '')
  return new OperatorError(
    `The backup was restored, except for its last step (${reason}): correct that, then run tessera migrate and tessera storage claim.`,
    { cause: error },
  )
}

/** Throws unless the restore would overwrite nothing: the database is empty, or of an installation that was started and never used. */
async function assertEmpty(db: Db, storage: Storage, data: string) {
  const { hasSchema, foreign } = await contentsOf(db)
  if (foreign.length > 0) {
    const more = foreign.length > 5 ? ' and more' : ''
    throw new OperatorError(
      `The database holds objects of other programs (${foreign.slice(0, 5).join(', ')}${more}): give an empty one in DATABASE_URL.`,
    )
  }
  if (hasSchema && (await isInUse(db))) {
    throw new OperatorError(
      `There is already an installation here (${data}): set TESSERA_DATA to a new directory, or DATABASE_URL to an empty database.`,
    )
  }
  const hint = 'set TESSERA_STORAGE or TESSERA_DATA to an empty one'
  if (await storage.holdsAnything()) throw new OperatorError(`The storage of attachments is not empty: ${hint}.`)
  const isMarked = (await storage.readMark()) !== null
  if (isMarked && !(hasSchema && (await isOwnStorage(db, storage))))
    throw new OperatorError(`The storage of attachments belongs to another database: ${hint}.`)
  return hasSchema
}

/** Whether there are people. A restore that was killed while it removed the schema leaves no such tables. */
async function isInUse(db: Db) {
  for (const table of ['user_account', 'organization']) {
    const [found] = await queryRows(db, { isThere: bool })`select to_regclass(${`public.${table}`}) is not null as "isThere"`
    if (found?.isThere && (await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)).rows.length > 0) return true
  }
  return false
}
