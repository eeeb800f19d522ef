import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { makeOrganization, makeProject, makeTicket, makeUser } from '../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../test/fixtures/recount.ts'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { tessera } from '../../test/servers/process.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { connect, poolOf } from '../db/db.ts'
import { isOwnStorage } from '../storage/belonging.ts'
import { openStorage } from '../storage/storage.ts'
import { lastScheduled, startNightlyBackups } from './nightly.ts'
import { proveBackup } from './prove-backup.ts'
import { type BackupContext, runBackup } from './run-backup.ts'
import { writeBackup } from './write-backup.ts'

// Some tests start whole processes, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

const awkward = 'tab\t line\nfeed \\N back\\slash "quotes" \u{1f600} \u0001 NULL'

/** The data the tests back up: an organization with tickets, difficult texts and two attachments. */
async function filled(server: TestServer) {
  const { db, system } = server
  const organizationId = await makeOrganization(db)
  const userId = await makeUser(db, organizationId)
  const project = await makeProject(db, organizationId)
  const parentId = await makeTicket(db, organizationId, project, { title: 'Wurzel \\ "Ä" \u{1f600}' })
  await makeTicket(db, organizationId, project, { parentId })
  await sql`insert into comment (organization_id, ticket_id, author_id, text) values (${organizationId}, ${parentId}, ${userId}, ${awkward})`.execute(
    db,
  )
  await sql`insert into session (organization_id, token_hash, user_id) values (${organizationId}, ${Buffer.alloc(32)}, ${userId})`.execute(
    db,
  )
  await isOwnStorage(db, system.storage)
  for (const content of ['a picture', 'x'.repeat(200_000)]) {
    const incoming = await system.storage.receive()
    await incoming.write(Buffer.from(content))
    const key = `${organizationId}/aa/bb/${randomUUID()}`
    await incoming.keep(key)
    await sql`
      insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
      values (${organizationId}, ${parentId}, 'picture.jpg', 'image/jpeg', ${content.length}, ${incoming.sha256()}, ${key})`.execute(db)
  }
  const context: BackupContext = { ...system, connection: connectionOf(server) }
  return { context, organizationId, project, parentId }
}

function connectionOf({ db }: TestServer) {
  return { ...inject('cluster'), database: poolOf(db).options.database as string }
}

/** An empty database, dropped at the end, as an address and as a pool. */
async function emptyDatabase() {
  const cluster = inject('cluster')
  const name = `restore_${randomUUID().replaceAll('-', '')}`
  const admin = connect(cluster, { poolSize: 1 })
  await sql.raw(`create database ${name}`).execute(admin)
  const db = connect({ ...cluster, database: name }, { poolSize: 2 })
  onTestFinished(async () => {
    await db.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(admin)
    await admin.destroy()
  })
  return { db, url: `postgres://${cluster.user}@localhost/${name}?host=${encodeURIComponent(String(cluster.host))}&port=${cluster.port}` }
}

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
  const { rows: runs } = await sql<{ proven: boolean; error: string | null }>`
    select proven_at is not null as proven, error from backup_run`.execute(server.db)
  expect(runs).toEqual([{ proven: true, error: null }])

  const { db, url } = await emptyDatabase()
  const settings = { DATABASE_URL: url, TESSERA_DATA: path.join(folder, 'data') }
  const restored = await tessera(settings, 'restore', result.file)
  expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored the backup of .*, 2 files\.\n$/) })

  const comment = await db.selectFrom('comment').select('text').where('organization_id', '=', organizationId).executeTakeFirstOrThrow()
  expect(comment.text).toBe(awkward)
  expect(await recount(db, organizationId)).toEqual(everyCounterRight)
  expect((await sql`select 1 from session`.execute(db)).rows).toEqual([])
  const storage = openStorage({ ...server.system.config, data: settings.TESSERA_DATA })
  expect(await isOwnStorage(db, storage)).toBe(true)
  const { rows: attachments } = await sql<{ storage_key: string }>`select storage_key from attachment order by id limit 1`.execute(db)
  const file = await storage.read(attachments[0]?.storage_key ?? '')
  expect(file && (await text(file))).toBe('a picture')
  // The next id is not reused.
  const highest = await sql<{ id: number }>`select max(id) as id from ticket`.execute(db)
  expect(await makeTicket(db, organizationId, project)).toBeGreaterThan(highest.rows[0]?.id ?? 0)

  const again = await tessera(settings, 'restore', result.file)
  expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/^There is an installation here already \(.*\n$/) })
})

test('a damaged, cut or foreign file is refused in one line and leaves the database empty', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const good = path.join(folder, 'good.tar.gz')
  await writeBackup(context.connection, context.storage, good)
  const cut = path.join(folder, 'cut.tar.gz')
  copyFileSync(good, cut)
  truncateSync(cut, Math.floor(statSync(good).size / 2))
  const flipped = path.join(folder, 'flipped.tar.gz')
  const bytes = readFileSync(good)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(flipped, bytes)
  // A row that is no row any more: the first byte behind its file's name, in blocks of 512 bytes.
  const garbled = path.join(folder, 'garbled.tar.gz')
  const archive = gunzipSync(readFileSync(good))
  archive[archive.indexOf('tables/organization/') + 512] = 'x'.charCodeAt(0)
  writeFileSync(garbled, gzipSync(archive))
  const foreign = path.join(folder, 'foreign.tar.gz')
  writeFileSync(foreign, 'not an archive')
  const { db, url } = await emptyDatabase()
  for (const file of [cut, flipped, garbled, foreign]) {
    const { code, output } = await tessera({ DATABASE_URL: url, TESSERA_DATA: path.join(folder, 'data') }, 'restore', file)
    expect([code, output.trim().split('\n').length, output]).toEqual([
      1,
      1,
      expect.stringMatching(/damaged|no backup|digest|does not have/),
    ])
    const { rows } = await sql<{ there: boolean }>`select to_regclass('public.user_account') is not null as there`.execute(db)
    if (rows[0]?.there) expect((await sql`select 1 from user_account`.execute(db)).rows).toEqual([])
  }
  const attachments = path.join(folder, 'data/attachments')
  const left = existsSync(attachments) ? readdirSync(attachments, { recursive: true, withFileTypes: true }) : []
  // A folder may stay, no file of the backup does.
  expect(left.filter(entry => entry.isFile()).map(({ name }) => name)).toEqual([])
})

test('an attachment that rotted on the disk fails the backup, and the record says so', async () => {
  await using server = await startServer()
  const { context, organizationId } = await filled(server)
  const { rows } = await sql<{
    storage_key: string
  }>`select storage_key from attachment where organization_id = ${organizationId} order by id limit 1`.execute(server.db)
  writeFileSync(path.join(context.config.data, 'attachments', rows[0]?.storage_key ?? ''), 'A picture')
  await expect(runBackup(context)).rejects.toThrow(/is damaged: its SHA-256 is not that of its row/)
  const { rows: runs } = await sql<{ error: string }>`select error from backup_run where finished_at is not null`.execute(server.db)
  expect(runs).toEqual([{ error: expect.stringContaining('is damaged') }])
  expect(readdirSync(path.join(context.config.data, 'backups'))).toEqual([])
})

test('a proof leaves no scratch database behind', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const file = path.join(temporaryDirectory(), 'b.tar.gz')
  await writeBackup(context.connection, context.storage, file)
  await expect(proveBackup(file, context.connection)).resolves.toMatchObject({ files: 2 })
  const { rows } = await sql`select 1 from pg_database where datname like 'tessera_proof_%'`.execute(server.db)
  expect(rows).toEqual([])
})

test('the night’s backup is made once, by one process, and the oldest go', async () => {
  await using server = await startServer({ TESSERA_BACKUP_KEEP: '2' })
  const { context } = await filled(server)
  const folder = path.join(context.config.data, 'backups')
  mkdirSync(folder)
  const older = ['tessera-2020-01-01T02-00-00Z.tar.gz', 'tessera-2020-01-02T02-00-00Z.tar.gz', 'notes.txt']
  for (const name of older) writeFileSync(path.join(folder, name), '')
  await sql`update installation set created_at = now() - interval '2 days'`.execute(server.db)
  const errors: unknown[] = []
  const done: string[] = []
  const processes = [1, 2].map(() =>
    startNightlyBackups(context, { onDone: ({ file }) => done.push(file), onError: error => errors.push(error) }),
  )
  await Promise.all(processes.map(each => each.looked))
  for (const each of processes) each.stop()
  expect(errors).toEqual([])
  expect(done).toHaveLength(1)
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', older[1], path.basename(done[0] ?? '')])
})

test('a node whose clock is hours ahead or behind makes the nightly backup once, and names it by the database', async () => {
  for (const hours of [3, -3]) {
    await using server = await startServer()
    const { context } = await filled(server)
    await sql`update installation set created_at = now() - interval '2 days'`.execute(server.db)
    vi.useFakeTimers({ now: Date.now() + hours * 3_600_000, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const look = async (hour: number) => {
      const config = { ...context.config, backup: { ...context.config.backup, hour } }
      const errors: unknown[] = []
      const nightly = startNightlyBackups({ ...context, config }, { onDone: () => undefined, onError: error => errors.push(error) })
      await nightly.looked
      nightly.stop()
      expect(errors).toEqual([])
    }
    await look(2)
    const { rows } = await sql<{ named: boolean }>`
      select location like '%/tessera-' || to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24-MI-SS"Z"') || '.tar.gz' as named
      from backup_run`.execute(server.db)
    expect(rows).toEqual([{ named: true }])
    // At any hour, the next night must be in the future, and must not begin during the test.
    await sql`update backup_run set started_at = started_at + interval '10 minutes'`.execute(server.db)
    for (let hour = 0; hour < 24; hour++) await look(hour)
    expect((await sql`select 1 from backup_run`.execute(server.db)).rows).toHaveLength(1)
    vi.useRealTimers()
  }
})

test('the scheduled time is the last one that has passed', () => {
  expect(lastScheduled(new Date(2026, 10, 21, 1, 59), 2)).toEqual(new Date(2026, 10, 20, 2, 0))
  expect(lastScheduled(new Date(2026, 10, 21, 2, 0), 2)).toEqual(new Date(2026, 10, 21, 2, 0))
  expect(lastScheduled(new Date(2026, 0, 1, 0, 0), 23)).toEqual(new Date(2025, 11, 31, 23, 0))
})
