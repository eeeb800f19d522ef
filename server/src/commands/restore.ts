import { statSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { keepFiles } from '../backup/attachments/keep-files.ts'
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
import { explain } from '../process/explain.ts'
import { claimStorage, requireAnswer, reserveStorage } from '../storage/belonging.ts'
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
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new OperatorError(`There is no file ${file}.`)
  if (found.isDirectory()) throw new OperatorError(`${file} is a directory: name a backup in it.`)
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
  const hasSchema = await assertUnused(db, config.data)
  await reserveStorage(db, storage, hasSchema)
  const files = keepFiles(storage)
  try {
    if (hasSchema) await dropOwnSchema(db)
    const { head, manifest, skipped } = await restoreBackup(file, connection, files.keep, async client => {
      await files.all()
      await forgetPlace(client)
    })
    await migrate(db)
    await claimStorage(db, storage)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `Restored the backup of ${head.createdAt}: ${counted(rows, 'row')} in ${counted(manifest.tables.length, 'table')}, ${counted(manifest.files.count, 'file')}.`,
    )
    if (manifest.lost > 0) console.log(`${manifest.lost} attachment files were missing or damaged when it was written.`)
    if (skipped.length > 0) console.log(`Left out tables that are not Tessera's: ${skipped.join(', ')}.`)
  } catch (error) {
    await files.all().catch(() => {})
    // Committed rows need their files. A database that does not answer may have them.
    const isCommitted = await isInUse(db).catch(() => null)
    if (isCommitted) throw lastStepFailed(error as Error)
    throw await withWhatRemains(error, storage)
  }
}

/** The error, and what to do with the files that are restored already. An empty storage is left to anybody. */
async function withWhatRemains(error: unknown, storage: Storage) {
  if (await storage.holdsAnything().catch(() => true))
    return new OperatorError(
      `${explain(error)} Attachments that were restored stay in the storage: restore again into the same database and storage, or delete them.`,
      { cause: error },
    )
  await storage.removeMark().catch(() => {})
  return error
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

/** Throws unless the database is empty, or of an installation that was started and never used. Returns whether it has a schema. */
async function assertUnused(db: Db, data: string) {
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
