import { createHash, type Hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { type Connection, connect } from '../db/connections/connect.ts'
import { migrate, migrationNames } from '../db/schema/migrate.ts'
import { sqlState } from '../db/sql-state.ts'
import { OperatorError } from '../operator-error.ts'
import { type ArchiveEntry, hashed, readArchive } from './archive.ts'
import { NotAsWritten, parseHead, parseManifest, requireKeyOf } from './archive-form.ts'
import { compareFiles } from './attachments/compare-files.ts'
import { openClient, readTable, type Table, type TableDigest, tablesOf, writeTable } from './database/tables.ts'
import { format, type Head, type Manifest } from './write-backup.ts'

/** What to do with a file of the archive; its bytes must be read. */
type OnFile = (key: string, size: number, content: AsyncIterable<Buffer>) => Promise<void>

export interface Restored {
  head: Head
  manifest: Manifest
  /** Tables of somebody else, which older versions included. */
  skipped: string[]
}

interface RestoreOptions {
  /** Writes no log for the rows, which a crash of PostgreSQL then empties: for a scratch database. */
  unlogged?: boolean
  /** Throws to stop the restore. */
  beforeEntry?: () => Promise<void>
}

/**
 * Reads an archive into a database that has no schema yet. One transaction: either everything is restored and matches the archive's digests, or nothing is. `check` sees the loaded tables before
 * the commit.
 */
export async function restoreBackup(
  file: string,
  connection: Connection,
  onFile: OnFile,
  check: (client: pg.Client, restored: Restored) => Promise<void> = async () => {},
  { unlogged = false, beforeEntry = async () => {} }: RestoreOptions = {},
): Promise<Restored> {
  const entries = readArchive(file)
  try {
    const head = await orDamaged(file, readHead(file, entries))
    const db = connect(connection, { poolSize: 1, noTimeLimits: true })
    try {
      await migrate(db, { only: head.migrations })
    } finally {
      await db.destroy()
    }
    const client = await openClient(connection)
    try {
      await client.query('begin')
      const schema = await tablesOf(client)
      const skipped = head.tables.map(({ name }) => name).filter(name => !schema.some(table => table.name === name))
      const manifest = await orDamaged(file, load(client, head, entries, { schema, unlogged, beforeEntry, onFile }))
      const restored = { head, manifest, skipped }
      await check(client, restored)
      await client.query('commit')
      await client.query('analyze')
      return restored
    } finally {
      await client.end().catch(() => {})
    }
  } finally {
    await entries.return(undefined)
  }
}

/** Reports a damaged file if its content cannot be what was written: PostgreSQL refuses a value or a row (SQLSTATE 22, 23, 54), or the archive has another form. */
async function orDamaged<T>(file: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    const isOfContent = error instanceof NotAsWritten || /^(22|23|54)/.test(sqlState(error) ?? '')
    throw isOfContent ? new OperatorError(`${file} is damaged or not a backup (${(error as Error).message.replace(/\s+/g, ' ')}).`) : error
  }
}

async function readHead(file: string, entries: AsyncGenerator<ArchiveEntry>): Promise<Head> {
  const first = await entries.next()
  if (first.done || first.value.name !== 'head.json') throw new OperatorError(`${file} is no backup of Tessera.`)
  const head = parseHead(await buffer(first.value.content), format)
  const known = new Set(await migrationNames())
  if (!('migrations' in head) || head.migrations.some(name => !known.has(name)))
    throw new OperatorError(`${file} was made by Tessera ${head.version}, which is newer than this program: install that version first.`)
  return head
}

async function load(
  client: pg.Client,
  head: Head,
  entries: AsyncGenerator<ArchiveEntry>,
  { schema, unlogged, beforeEntry, onFile }: Required<RestoreOptions> & { schema: Table[]; onFile: OnFile },
): Promise<Manifest> {
  const tables = new Map(schema.map(table => [table.name, table]))
  const strange = head.tables.find(({ name, columns }) => columns.some(column => tables.get(name)?.columns.includes(column) === false))
  if (strange) throw new NotAsWritten(`its table ${strange.name} does not fit the schema of its migrations`)
  const foreignKeys = await dropForeignKeys(client)
  // The rows that the triggers would write are in the backup.
  const triggers = await dropTriggers(client)
  const quoted = [...tables.keys()].map(name => `public.${client.escapeIdentifier(name)}`)
  await client.query(`truncate ${quoted.join(', ')}`)
  if (unlogged) for (const table of quoted) await client.query(`alter table ${table} set unlogged`)

  const contents = contentsOf(client, head, tables, onFile)
  let manifest: Manifest | undefined
  for await (const { name, size, content } of entries) {
    await beforeEntry()
    const table = /^tables\/(\w+)\/\d+\.copy$/.exec(name)?.[1]
    await contents.endUnless(table)
    if (table !== undefined) await contents.addRows(table, content)
    else if (name.startsWith('files/')) await contents.addFile(requireKeyOf(name), size, content)
    else if (name.startsWith('lost/')) await contents.addLost(requireKeyOf(name))
    else if (name === 'manifest.json') manifest = parseManifest(await buffer(content), head)
  }
  if (!manifest) throw new NotAsWritten('it has no manifest')
  await contents.requireAll(manifest)
  for (const { name, value, called } of manifest.sequences)
    await client.query('select setval(to_regclass($1), $2, $3)', [`public.${client.escapeIdentifier(name)}`, value, called])
  // Recreating them checks every row.
  for (const statement of foreignKeys) await client.query(statement)
  for (const statement of triggers) await client.query(statement)
  return manifest
}

/** Takes rows and files where they belong, one table after the other, and compares what has come with the manifest and the rows. */
function contentsOf(client: pg.Client, head: Head, tables: ReadonlyMap<string, Table>, onFile: OnFile) {
  const hashes = new Map<string, Hash>()
  let comparison: ReturnType<typeof compareFiles> | undefined
  // The files come after all rows.
  const files = () => (comparison ??= compareFiles(client, head.format))
  let open: { name: string; table: ReturnType<typeof writeTable> } | undefined
  return {
    /** Ends the open table unless the next entry has rows of it too. */
    async endUnless(name: string | undefined) {
      if (!open || open.name === name) return
      await open.table.end()
      open = undefined
    },
    async addRows(name: string, content: AsyncIterable<Buffer>) {
      const table = head.tables.find(each => each.name === name)
      if (!table) throw new NotAsWritten(`it holds rows of an unknown table ${name}`)
      // A table of another program.
      if (!tables.has(name)) return
      open ??= { name, table: writeTable(client, table) }
      const hash = hashes.get(name) ?? createHash('sha256')
      hashes.set(name, hash)
      for await (const chunk of hashed(content, hash)) await open.table.write(chunk)
    },
    async addFile(key: string, size: number, content: AsyncIterable<Buffer>) {
      const hash = createHash('sha256')
      await (await files()).addFile(key, async () => {
        await onFile(key, size, hashed(content, hash))
        return hash.digest()
      })
    },
    async addLost(key: string) {
      await (await files()).addLost(key)
    },
    async requireAll(manifest: Manifest) {
      for (const { name, rows, sha256 } of manifest.tables.filter(table => tables.has(table.name))) {
        const hash = hashes.get(name) ?? createHash('sha256')
        if (hash.digest('hex') !== sha256)
          throw new NotAsWritten(`its table ${name} does not have the digest it had when it was written (${rows} rows)`)
      }
      await (await files()).end(manifest)
    },
  }
}

/** Dropped, because PostgreSQL keeps a second copy of all new rows for a disabled trigger that would read them. */
async function dropTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select tgrelid::regclass::text as table, quote_ident(tgname) as name, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace order by t.oid`)
  for (const { table, name } of rows) await client.query(`drop trigger ${name} on ${table}`)
  return rows.map(({ definition }) => definition)
}

async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
}

/** The tables whose rows differ from the manifest. */
export async function differences(client: pg.Client, { head, manifest, skipped }: Restored): Promise<string[]> {
  // The rows are in the order of their keys already; sorting them would take the space of another copy.
  await client.query('set local enable_sort = off')
  const wrong: string[] = []
  for (const expected of manifest.tables.filter(({ name }) => !skipped.includes(name))) {
    const table = head.tables.find(({ name }) => name === expected.name) as Table
    const found: TableDigest = await readTable(client, table, async () => {})
    if (found.rows !== expected.rows) wrong.push(`${table.name}: ${found.rows} rows instead of ${expected.rows}`)
    else if (found.sha256 !== expected.sha256) wrong.push(`${table.name}: other contents in ${found.rows} rows`)
  }
  return wrong
}
