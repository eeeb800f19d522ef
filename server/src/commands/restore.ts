import { existsSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { whileLocked } from '../backup/backup-lock.ts'
import { proveBackup } from '../backup/prove-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { databaseFolder } from '../backup/scratch.ts'
import { type Db, queryRows } from '../db/db.ts'
import { migrate } from '../db/schema/migrate.ts'
import { text } from '../db/shape.ts'
import { OperatorError, UsageError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { onDatabase } from '../process/command.ts'
import { claimStorage, isOwnStorage } from '../storage/belonging.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'

const help = `tessera restore FILE.tar.gz
    Reads a backup into an empty installation: stop the server, set TESSERA_DATA to a new directory (or DATABASE_URL to an empty database).
    Everybody has to sign in again; queued mails are not sent.
tessera restore --prove FILE.tar.gz
    Restores into a scratch database, compares everything and leaves nothing behind.`

export async function run(argv: string[]) {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: { prove: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) return console.log(help)
  const [given, ...rest] = positionals
  if (given === undefined || rest.length > 0) throw new UsageError('Name the file: tessera restore FILE.tar.gz.')
  const file = path.resolve(given)
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`)
  await onDatabase(
    async ({ db, connection, config, running }) => {
      if (values.prove) {
        const proof = await whileLocked(connection, () => proveBackup(file, connection, { folder: databaseFolder(config) }))
        if (!proof) throw new OperatorError('A backup is being made: wait until it is done.')
        return console.log(`${file} can be restored: ${proof.tables} tables, ${proof.rows} rows, ${proof.files} files agree.`)
      }
      if (running) throw new OperatorError('The server is running on this data directory: stop it first.')
      const storage = openStorage(config)
      await assertEmpty(db, storage, config.data)
      await storage.removeMark()
      await dropSchema(db)
      const kept: string[] = []
      try {
        const { head, manifest, skipped } = await restoreBackup(
          file,
          connection,
          async (key, _size, content) => {
            const incoming = await storage.receive()
            try {
              for await (const chunk of content) await incoming.write(chunk)
              await incoming.keep(key)
              kept.push(key)
            } finally {
              await incoming.discard()
            }
          },
          // The files are in a separate storage.
          async client => void (await client.query('update installation set storage_id = null')),
        )
        await migrate(db)
        await claimStorage(db, storage)
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        console.log(
          `Restored the backup of ${head.createdAt}: ${rows} rows in ${manifest.tables.length} tables, ${manifest.files.length} files.`,
        )
        if (manifest.lost?.length) console.log(`${manifest.lost.length} attachment files were missing or damaged when it was written.`)
        if (skipped.length > 0) console.log(`Left out what is not a table of Tessera: ${skipped.join(', ')}.`)
      } catch (error) {
        for (const key of kept) await storage.remove(key)
        throw error
      }
    },
    { schema: 'any', mayInstall: true },
  )
}

async function assertEmpty(db: Db, storage: Storage, data: string) {
  const rows = await queryRows(db, { name: text })`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`
  const tables = new Set(rows.map(({ name }) => name))
  if (tables.size > 0 && !tables.has('migration'))
    throw new OperatorError('The database holds tables of something else: give an empty one in DATABASE_URL.')
  if (tables.has('user_account')) {
    const { rows: people } = await sql`(select 1 from user_account limit 1) union all (select 1 from organization limit 1)`.execute(db)
    if (people.length > 0) {
      throw new OperatorError(
        `There is an installation here already (${data}): set TESSERA_DATA to a new directory, or DATABASE_URL to an empty database.`,
      )
    }
  }
  const hint = 'set TESSERA_STORAGE or TESSERA_DATA to an empty one'
  if (await storage.holdsAnything()) throw new OperatorError(`The storage of attachments is not empty: ${hint}.`)
  const isMarked = (await storage.readMark()) !== null
  if (isMarked && !(tables.has('installation') && (await isOwnStorage(db, storage))))
    throw new OperatorError(`The storage of attachments belongs to another database: ${hint}.`)
}

/** Of an installation that was started but never used. */
async function dropSchema(db: Db) {
  const rows = await queryRows(db, { name: text })`
    select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  for (const { name } of rows) await sql.raw(`drop table if exists public.${name} cascade`).execute(db)
  const functions = await queryRows(db, { name: text })`
    select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace and not exists (
      select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`
  for (const { name } of functions) await sql.raw(`drop function if exists ${name} cascade`).execute(db)
  await sql`drop sequence if exists public.change_set_id`.execute(db)
  await sql`drop schema if exists graphile_worker cascade`.execute(db)
}
