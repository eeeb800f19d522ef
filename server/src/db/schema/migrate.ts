import { readdir, readFile } from 'node:fs/promises'
import { Logger, runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import { OperatorError } from '../../operator-error.ts'
import { poolOf } from '../connections/connect.ts'
import { type Db, queryRows } from '../db.ts'
import { text } from '../shape.ts'
import { isBusyOrAway, sqlState } from '../sql-state.ts'
import { clusterSettings, distributionSteps, isDistributed, planDistribution } from './distribution.ts'

const ownFolder = new URL('../migrations/', import.meta.url)
/** An arbitrary key for the advisory lock, unique in this database. */
const lock = 7_337_002

interface MigrateOptions {
  /** Runs only these, by name. */
  only?: readonly string[]
  /** Other migrations than this program's own. */
  folder?: URL
}

/** Brings the database to this program's schema: each migration in a transaction, one process at a time. */
export async function migrate(db: Db, { only, folder = ownFolder }: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const files = await migrationNames(folder)
  const result = await db.connection().execute(async connection => {
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${sql.lit(lock)})`.execute(connection)
    try {
      return { applied: await applyMissing(connection, files, { only, folder }) }
    } finally {
      await release(connection)
    }
  })
  // The job queue keeps its tables in a schema of its own.
  await runMigrations({ pgPool: poolOf(db), logger: new Logger(() => () => undefined) })
  return result
}

async function release(connection: Db) {
  try {
    await sql`select pg_advisory_unlock(${sql.lit(lock)})`.execute(connection)
    // Restores the connection's own setting: a pool without time limits gets none.
    await sql`reset lock_timeout`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  } catch {
    // A connection that was lost holds nothing any more. What lost it is reported.
  }
}

/** For a message: a new installation has dozens of them. */
export function nameMigrations(applied: readonly string[]) {
  return applied.length <= 3 ? applied.join(', ') : `${applied.length} migrations, ${applied[0]} to ${applied.at(-1)}`
}

/** This program's migrations in their order. */
export async function migrationNames(folder = ownFolder) {
  return (await readdir(folder)).filter(name => /^\d{4}-[\w-]+\.sql$/.test(name)).sort()
}

async function applyMissing(db: Db, files: string[], { only, folder }: { only: readonly string[] | undefined; folder: URL }) {
  await sql`create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`
    .execute(db)
    .catch(error => {
      throw new OperatorError(`The first table cannot be created (${error.message})${advice(error)}`, { cause: error })
    })
  const done = await appliedMigrations(db)
  const problem = problemOfNewer(files, done)
  if (problem !== undefined) throw new OperatorError(problem)
  const missing = files.filter(name => !done.has(name) && (only?.includes(name) ?? true))
  const isCluster = await isDistributed(db)
  for (const name of missing) {
    const text = await readFile(new URL(name, folder), 'utf8')
    // BEGIN through the same connection: the transaction ends with the connection if this process dies.
    await sql`begin`.execute(db)
    try {
      if (isCluster) for (const setting of clusterSettings) await sql.raw(setting).execute(db)
      // Citus forwards the text of some statements to the workers, together with everything else in the same string.
      for (const part of isCluster ? statementsOf(text) : [text]) await sql.raw(part).execute(db)
      if (isCluster) await distributeNew(db)
      await sql`insert into migration (name) values (${name})`.execute(db)
      await sql`commit`.execute(db)
    } catch (error) {
      // Fails if the connection is lost, and then there is nothing to roll back.
      await sql`rollback`.execute(db).catch(() => {})
      throw failed(name, error as Error & { code?: string })
    }
  }
  return missing
}

/** A comment, a quoted text, a function body between `$$`, or the end of a statement. */
const scriptPart = /--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/** The statements of a script, split at semicolons outside of comments, quotes and function bodies. */
export function statementsOf(text: string) {
  const parts: string[] = []
  let from = 0
  for (const { 0: part, index } of text.matchAll(scriptPart)) {
    if (part !== ';') continue
    parts.push(text.slice(from, index).trim())
    from = index + 1
  }
  return [...parts, text.slice(from).trim()].filter(part => part.replaceAll(/--[^\n]*/g, '').trim() !== '')
}

/** Distributes the tables that a migration created on a Citus cluster. */
async function distributeNew(db: Db) {
  const plan = await planDistribution(db)
  if (plan.faults.length > 0) throw new Error(plan.faults.join('; '))
  if (plan.reference.length + plan.distributed.length + plan.foreignKeys.length === 0) return
  for (const { statement } of distributionSteps(plan)) await sql.raw(statement).execute(db)
}

function failed(name: string, error: Error & { code?: string }) {
  if (isBusyOrAway(error) && error.code !== '53100')
    return new OperatorError(
      `Stopped at the migration ${name}, which changed nothing (${error.message}): make sure that the database is running, then try again.`,
      { cause: error },
    )
  return new OperatorError(`Migration ${name} failed and changed nothing (${error.message})${advice(error)}`, { cause: error })
}

function advice(error: Error & { code?: string }) {
  if (error.code === '42501') return ": give the database's user the right to create tables and extensions (alter database … owner to …)."
  if (error.code === '53100') return ': make room on the disk of the database, then start again.'
  if (error.code === '58P01' || (error.code === '0A000' && error.message.includes('extension')))
    return ": install PostgreSQL's contrib modules (pg_trgm, unaccent, fuzzystrmatch) on that server."
  return '.'
}

function problemOfNewer(files: string[], done: ReadonlySet<string>) {
  const newer = [...done].filter(name => !files.includes(name))
  if (newer.length === 0) return undefined
  return `The database is newer than this program (it has ${nameMigrations(newer)}): start the newer program, or restore an older backup.`
}

/** What is to be done before this program can use the database; undefined if it has exactly this program's migrations. */
export async function problemOfSchema(db: Db): Promise<string | undefined> {
  const files = await migrationNames()
  const done = await appliedMigrations(db)
  if (done.size === 0) return 'The database has no tables of Tessera yet: start the server, or run tessera migrate.'
  const isComplete = files.every(name => done.has(name))
  const older = 'The database has the schema of another version: start the server, or run tessera migrate.'
  return problemOfNewer(files, done) ?? (isComplete ? undefined : older)
}

/** Empty where nothing was migrated. */
export async function appliedMigrations(db: Db): Promise<ReadonlySet<string>> {
  const rows = await queryRows(db, { name: text })`select name from migration order by name`.catch(error => {
    if (sqlState(error) === '42P01') return []
    throw error
  })
  return new Set(rows.map(({ name }) => name))
}

export async function isMigrated(db: Db) {
  return (await problemOfSchema(db)) === undefined
}
