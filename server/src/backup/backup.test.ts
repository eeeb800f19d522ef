import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { awkward, emptyDatabase, filled } from '../../test/fixtures/backed-up.ts'
import { makeTicket } from '../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../test/fixtures/recount.ts'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { tessera } from '../../test/servers/command.ts'
import { addressOf } from '../../test/servers/process.ts'
import { startServer } from '../../test/servers/server.ts'
import { migrate } from '../db/schema/migrate.ts'
import { tableNames } from '../db/tables.ts'
import { requireRoom } from '../process/health/disk-space.ts'
import { isOwnStorage } from '../storage/belonging.ts'
import { openStorage } from '../storage/open-storage.ts'
import { createArchive, readArchive } from './archive.ts'
import { contentsOf } from './database/own-schema.ts'
import { openClient } from './database/tables.ts'
import { proveBackup } from './prove-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { runBackup } from './run-backup.ts'
import { type Head, type Manifest, writeBackup } from './write-backup.ts'

// Some tests start whole processes, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

test('a backup made under writes is proven, and restores whole into another installation', async () => {
  await using server = await startServer()
  const { context, organizationId, project } = await filled(server)
  const folder = temporaryDirectory()
  let isWriting = true
  const writer = (async () => {
    while (isWriting) await server.db.transaction().execute(db => makeTicket(db, organizationId, project))
  })()
  const result = await runBackup(context, { to: path.join(folder, 'b.tar.gz') })
  isWriting = false
  await writer
  expect(result.proof).toMatchObject({ files: 2, rows: result.rows })
  expect(statSync(result.file).mode & 0o777).toBe(0o600)
  const runs = await server.sql<{ proven: boolean; error: string | null }>`
    select proven_at is not null as proven, error from backup_run`
  expect(runs).toEqual([{ proven: true, error: null }])

  const { db, url } = await emptyDatabase()
  const settings = { DATABASE_URL: url, TESSERA_DATA: path.join(folder, 'data') }
  const restored = await tessera(settings, 'restore', result.file)
  expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored the backup of .*, 2 files\.\n$/) })

  const comment = await db.selectFrom('comment').select('text').where('organization_id', '=', organizationId).executeTakeFirstOrThrow()
  expect(comment.text).toBe(awkward)
  expect(await recount(db, organizationId)).toEqual(everyCounterRight)
  for (const table of ['session', 'backup_run']) expect((await sql`select 1 from ${sql.table(table)}`.execute(db)).rows).toEqual([])
  const triggers = sql`
    select pg_get_triggerdef(t.oid) as definition, tgenabled from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`
  expect((await triggers.execute(db)).rows).toEqual((await triggers.execute(server.db)).rows)
  const storage = openStorage({ ...server.system.config, data: settings.TESSERA_DATA })
  expect(await isOwnStorage(db, storage)).toBe(true)
  const { rows: attachments } = await sql<{ storage_key: string }>`select storage_key from attachment order by id limit 1`.execute(db)
  const file = await storage.read(attachments[0]?.storage_key ?? '')
  expect(file && (await text(file))).toBe('a picture')
  // The next id is not reused.
  const highest = await sql<{ id: number }>`select max(id) as id from ticket`.execute(db)
  expect(await makeTicket(db, organizationId, project)).toBeGreaterThan(highest.rows[0]?.id ?? 0)

  const again = await tessera(settings, 'restore', result.file)
  expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/^There is already an installation here \(.*\n$/) })
})

test('a restore that fails after the rows are committed keeps their files, and says how to go on', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const [file, pipe] = [path.join(folder, 'b.tar.gz'), path.join(folder, 'pipe')]
  await writeBackup(context.connection, context.storage, file)
  const settings = { DATABASE_URL: (await emptyDatabase()).url, TESSERA_DATA: path.join(folder, 'data') }
  // Opened once the storage is reserved: from then on it cannot be marked.
  execFileSync('mkfifo', [pipe])
  const mark = path.join(settings.TESSERA_DATA, 'attachments/storage-id')
  const written = open(pipe, 'w').then(async handle => {
    rmSync(mark)
    mkdirSync(mark)
    await handle.writeFile(readFileSync(file))
    await handle.close()
  })
  expect(await tessera(settings, 'restore', pipe)).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^The backup was restored, except for its last step \(EISDIR[^\n]*, then run tessera migrate and tessera storage claim\.\n$/,
    ),
  })
  await written
  rmdirSync(mark)
  expect(await tessera(settings, 'storage', 'claim')).toMatchObject({
    code: 0,
    output: 'The storage belongs to this database from now on: 2 files, 0 attachments without one.\n',
  })
})

test('a restore removes a schema of Tessera that was never used, and nothing of other programs', { tags: ['long'] }, async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const file = path.join(temporaryDirectory(), 'b.tar.gz')
  await writeBackup(context.connection, context.storage, file)
  const foreign = {
    'a table': ['create table orders (id int)', 'orders'],
    "a table that is named like Tessera's list of migrations": ['create table migration (id int primary key, name text)', 'migration'],
    'a view': ['create view totals as select 1 as one', 'totals'],
    'a function': ['create function pay(amount int) returns int language sql as $$ select amount $$', 'pay(integer)'],
    'a queue of jobs': ['create schema graphile_worker', 'graphile_worker'],
  }
  for (const [what, [statement = '', name]] of Object.entries(foreign)) {
    for (const wasStarted of [false, true]) {
      if (wasStarted && ['migration', 'graphile_worker'].includes(name ?? '')) continue
      const { db, url } = await emptyDatabase()
      const settings = { DATABASE_URL: url, TESSERA_DATA: temporaryDirectory() }
      if (wasStarted) await migrate(db)
      await sql.raw(statement).execute(db)
      const objects = sql`
        select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
        union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
        union all select nspname::text from pg_namespace order by 1`
      const before = (await objects.execute(db)).rows
      expect(await tessera(settings, 'restore', file), what).toMatchObject({
        code: 1,
        output: `The database holds objects of other programs (${name}): give an empty one in DATABASE_URL.\n`,
      })
      expect((await objects.execute(db)).rows).toEqual(before)
    }
  }

  const { db, url } = await emptyDatabase()
  await migrate(db)
  await sql`create table board_rank (of_an_earlier_version int)`.execute(db)
  const { code } = await tessera({ DATABASE_URL: url, TESSERA_DATA: temporaryDirectory() }, 'restore', file)
  expect(code).toBe(0)
  expect(await contentsOf(db)).toEqual({ hasSchema: true, foreign: [] })
})

test('a proof leaves no scratch database behind', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const file = path.join(temporaryDirectory(), 'b.tar.gz')
  await writeBackup(context.connection, context.storage, file)
  await expect(proveBackup(file, context.connection)).resolves.toMatchObject({ files: 2 })
  // Other tests prove their databases on the same server at the same time.
  const rows = await server.sql`
    select 1 from pg_database own join pg_database d on starts_with(d.datname, 'tessera_proof_' || own.oid || '_')
    where own.datname = current_database()`
  expect(rows).toEqual([])
})

test('missing and damaged attachment files are left out of the proof and named, and the rest is backed up', {
  tags: ['long'],
}, async () => {
  await using server = await startServer()
  const { context, keys } = await filled(server)
  const [damaged, missing] = keys.map(key => path.join(context.config.data, 'attachments', key)) as [string, string]
  writeFileSync(damaged, 'short')
  rmSync(missing)
  const { file, files, proof, warning } = await runBackup(context)
  expect({ files, proven: proof?.files, warning }).toEqual({
    files: { count: 0, bytes: 0 },
    proven: 0,
    warning: `Missing or damaged attachment files (2): ${keys.map(key => `picture.jpg (${key})`).join(', ')}.`,
  })
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: context.config.data }
  expect(await tessera(settings, 'backup', '--no-proof')).toMatchObject({ code: 1, output: expect.stringContaining(`\n${warning}\n`) })
  expect((await tessera(settings, 'doctor')).output).toContain(`bad   backup       the last one is not complete: ${warning}`)
  expect((await server.app.inject({ url: '/metrics' })).body).toContain('tessera_backup_problem 1')

  const { url } = await emptyDatabase()
  const data = path.join(temporaryDirectory(), 'data')
  expect(await tessera({ DATABASE_URL: url, TESSERA_DATA: data }, 'restore', file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 attachment files were missing or damaged when it was written.'),
  })
  expect(readFileSync(path.join(data, 'attachments', keys[0] ?? ''), 'utf8')).toMatch(/^short\0+$/)
})

test('without room for a second copy of the database the backup is written, and not proven', async ({ skip }) => {
  // Its files take no space, and none is free.
  if (process.platform !== 'linux') return skip('needs /proc')
  await using server = await startServer({ TESSERA_BACKUP_KEEP: '1' })
  const { context } = await filled(server)
  const proven = path.join(context.config.data, 'backups/tessera-2020-01-01T02-00-00Z.tar.gz')
  mkdirSync(path.dirname(proven))
  writeFileSync(proven, '')
  await server.sql`insert into backup_run (location, finished_at, proven_at) values (${proven}, now(), now())`
  symlinkSync('/proc', path.join(context.config.data, 'postgres'))
  const { file, proof, warning } = await runBackup(context)
  expect({ proof, warning }).toEqual({
    proof: null,
    warning: expect.stringMatching(
      /^It was not proven by a restore: \d+ MB must be free at \S+\/postgres, and 0 MB are: make room there\.$/,
    ),
  })
  // One backup is kept, and the last one that was proven.
  expect([file, proven].map(each => existsSync(each))).toEqual([true, true])
  const folder = temporaryDirectory()
  const full = writeBackup(context.connection, context.storage, path.join(folder, 'b.tar.gz'), () => requireRoom('/proc'))
  await expect(full).rejects.toThrow(/^67 MB must be free at \/proc/)
  expect(readdirSync(folder)).toEqual([])
})

test('the rows of a scratch database are written without a log', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const file = path.join(temporaryDirectory(), 'b.tar.gz')
  await writeBackup(context.connection, context.storage, file)
  const { url } = await emptyDatabase()
  const found: unknown[] = []
  await restoreBackup(
    file,
    { connectionString: url },
    async (_key, _size, content) => void (await buffer(content)),
    async client => {
      const { rows } = await client.query(`
        select distinct relpersistence as kept from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`)
      found.push(...rows)
    },
    { unlogged: true },
  )
  expect(found).toEqual([{ kept: 'u' }])
})

test('all tables of the schema are backed up, and those of others are not', async () => {
  await using server = await startServer()
  const { context, keys } = await filled(server)
  const all = await server.sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`
  expect(all.map(({ name }) => name)).toEqual([...tableNames].sort())
  const client = await openClient(context.connection)
  await client.query('create table zz_note (id serial, note text)')
  await client.end()
  const folder = temporaryDirectory()
  const { file } = await runBackup(context, { to: path.join(folder, 'b.tar.gz') })

  // As an older version wrote it, in format 1.
  const older = createArchive(path.join(folder, 'older.tar.gz'))
  const files: { key: string; bytes: number; sha256: string }[] = []
  for await (const { name, content } of readArchive(file)) {
    const bytes = await buffer(content)
    if (name === 'head.json') {
      const head = JSON.parse(bytes.toString()) as Head
      expect(head.tables.map(table => table.name)).not.toContain('zz_note')
      head.tables.push({ name: 'zz_note', columns: ['id', 'note'], order: 'id' })
      head.format = 1
      await older.add(name, Buffer.from(JSON.stringify(head)))
      await older.add('tables/zz_note/000001.copy', Buffer.from('1\ta\n'))
    } else if (name === 'manifest.json') {
      const manifest = JSON.parse(bytes.toString()) as Manifest
      expect(manifest.sequences.map(sequence => sequence.name)).toEqual(expect.arrayContaining(['change_set_id', 'ticket_id_seq']))
      expect(manifest.sequences.map(sequence => sequence.name)).not.toContain('zz_note_id_seq')
      manifest.tables.push({ name: 'zz_note', rows: 1, sha256: '' })
      manifest.sequences.push({ name: 'zz_note_id_seq', value: 1, called: true })
      await older.add(name, Buffer.from(JSON.stringify({ ...manifest, files, lost: keys.slice(0, 1) })))
    } else if (name !== `files/${keys[0]}`) {
      if (name.startsWith('files/'))
        files.push({ key: name.slice('files/'.length), bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
      await older.add(name, bytes)
    }
  }
  await older.finish()
  const { url } = await emptyDatabase()
  const settings = { DATABASE_URL: url, TESSERA_DATA: path.join(folder, 'data') }
  expect(await tessera(settings, 'restore', path.join(folder, 'older.tar.gz'))).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /, 1 file\.\n1 attachment files were missing or damaged when it was written\.\nLeft out tables that are not Tessera's: zz_note\.\n$/,
    ),
  })
})

test('a backup that cannot be made is refused in one line', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: context.config.data }
  const folder = temporaryDirectory()
  const elsewhere = { ...settings, TESSERA_STORAGE: `file://${folder}/other` }
  for (const [environment, code, line, ...args] of [
    [settings, 1, '--to: there is no folder /proc/x.', '--to', '/proc/x/y'],
    [settings, 1, '--to: there is no folder /etc/passwd.', '--to', '/etc/passwd/x.tar.gz'],
    [settings, 2, 'Give --to once.', '--to', `${folder}/a`, '--to', `${folder}/b`],
    [settings, 1, '.partial (ENAMETOOLONG).', '--to', `${folder}/${'x'.repeat(250)}`],
    [elsewhere, 1, 'Attachments: this is not the storage that the database knows', '--to', `${folder}/c`],
  ] as const) {
    const { code: found, output } = await tessera(environment, 'backup', ...args)
    expect([found, output.trim().split('\n')]).toEqual([code, [expect.stringContaining(line)]])
  }
  const nightly = { ...context, config: { ...context.config, backup: { ...context.config.backup, directory: '/proc/x/y' } } }
  await expect(runBackup(nightly)).rejects.toThrow(
    'The folder for backups, /proc/x/y, cannot be used (ENOENT): correct TESSERA_BACKUP_DIRECTORY',
  )
})
