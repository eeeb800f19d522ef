import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { filled } from '../../test/fixtures/backed-up.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { cleanUpStorage } from '../storage/clean-up.ts'
import { whileLocked } from './backup-lock.ts'
import { openClient } from './database/tables.ts'
import { lastScheduled, startNightlyBackups } from './nightly.ts'
import { type BackupContext, runBackup } from './run-backup.ts'

vi.setConfig({ testTimeout: 120_000 })

/** An installation that has had a night, with a backup hour some hours ago, so that no night begins during the test. */
async function overdue(server: TestServer) {
  const { context } = await filled(server)
  await server.sql`update installation set created_at = now() - interval '2 days'`
  const hour = (new Date().getHours() + 19) % 24
  return { ...context, config: { ...context.config, backup: { ...context.config.backup, hour } } }
}

async function execute({ connection }: BackupContext, statement: string) {
  const client = await openClient(connection)
  await client.query(statement)
  await client.end()
}

/** What one check of a server does. */
async function look(context: BackupContext) {
  const [done, errors]: [string[], string[]] = [[], []]
  const nightly = startNightlyBackups(context, {
    onDone: ({ file }) => done.push(path.basename(file)),
    onError: error => errors.push((error as Error).message),
  })
  await nightly.firstCheck
  await nightly.stop()
  return { done, errors }
}

async function runsOf({ db }: TestServer) {
  const { rows } = await sql<{ error: string | null; finished: boolean; proven: boolean }>`
    select error, finished_at is not null as finished, proven_at is not null as proven from backup_run order by id`.execute(db)
  return rows
}

/** The name of a scratch database of this database's proofs. */
async function scratchNames({ db }: TestServer) {
  const { rows } = await sql<{ prefix: string; names: string[] }>`
    select 'tessera_proof_' || oid || '_' as prefix, array(
      select datname::text from pg_database where starts_with(datname, 'tessera_proof_' || own.oid || '_')) as names
    from pg_database own where datname = current_database()`.execute(db)
  return rows[0] as { prefix: string; names: string[] }
}

const interrupted = { error: 'The server stopped before the backup was complete.', finished: false, proven: false }
const made = { error: null, finished: true, proven: true }

test('an interrupted backup is made again at the next start, a second time after a wait, and its scratch database is removed', {
  tags: ['long'],
}, async () => {
  await using server = await startServer()
  const context = await overdue(server)
  await server.sql`insert into backup_run (location, bytes) values ('killed', 1)`
  await execute(context, `create database ${(await scratchNames(server)).prefix}killed`)
  // The dead run no longer keeps files from being cleaned up.
  expect(await cleanUpStorage(server.db, server.system.storage)).toMatchObject({ files: 2 })
  expect(await look(context)).toEqual({ done: [expect.any(String)], errors: [] })
  expect(await runsOf(server)).toEqual([interrupted, made])
  expect((await scratchNames(server)).names).toEqual([])

  await server.sql`delete from backup_run`
  await server.sql`insert into backup_run (location) values ('killed'), ('killed again')`
  expect(await look(context)).toEqual({ done: [], errors: [] })
  await server.sql`update backup_run set started_at = now() - interval '121 minutes'`
  expect((await look(context)).done).toHaveLength(1)
})

test('while a backup is written no other begins, and no file is cleaned up', async () => {
  await using server = await startServer()
  const context = await overdue(server)
  await whileLocked(context.connection, async () => {
    expect(await look(context)).toEqual({ done: [], errors: [] })
    await expect(cleanUpStorage(server.db, server.system.storage)).rejects.toThrow('A backup is being written')
  })
  expect(await cleanUpStorage(server.db, server.system.storage)).toMatchObject({ files: 2 })
})

test('a stopping server ends its backup or proof, leaves nothing behind, and the next one makes it again', { tags: ['long'] }, async () => {
  await using server = await startServer()
  const context = await overdue(server)
  const folder = path.join(context.config.data, 'backups')
  for (const isInProof of [false, true]) {
    const errors: string[] = []
    const nightly = startNightlyBackups(context, { onDone: () => {}, onError: error => errors.push((error as Error).message) })
    await vi.waitFor(
      async () => {
        expect(isInProof ? (await scratchNames(server)).names : readdirSync(folder)).toHaveLength(1)
      },
      { timeout: 30_000, interval: 1 },
    )
    await nightly.stop()
    expect(errors).toEqual([interrupted.error])
    expect(await runsOf(server)).toEqual([interrupted])
    expect(readdirSync(folder).filter(name => name.endsWith('.partial'))).toEqual([])
    expect((await scratchNames(server)).names).toEqual([])
    if (!isInProof) await server.sql`delete from backup_run`
  }
  expect(await look(context)).toEqual({ done: [expect.any(String)], errors: [] })
})

test('a failing proof is attempted ever more rarely, and keeps the good backups and one failed', { tags: ['long'] }, async () => {
  await using server = await startServer({ TESSERA_BACKUP_KEEP: '1' })
  const context = await overdue(server)
  const folder = path.join(context.config.data, 'backups')
  const { file } = await runBackup(context)
  const content = readFileSync(file)
  await server.sql`update backup_run set started_at = started_at - interval '1 day'`
  // Failures of earlier nights do not count.
  await server.sql`
    insert into backup_run (location, started_at, finished_at, error)
    select 'full', now() - n * interval '2 days', now(), 'full' from generate_series(1, 3) n`
  // A column that no migration made.
  await execute(context, 'alter table label add column strange text')
  const shift = (minutes: number) =>
    server.sql`update backup_run set started_at = started_at - make_interval(mins => ${minutes}) where error is not null`
  const failure = { done: [], errors: [expect.stringContaining('does not fit the schema')] }
  const nothing = { done: [], errors: [] }
  expect(await look(context)).toEqual(failure)
  await shift(59)
  expect(await look(context)).toEqual(nothing)
  await shift(2)
  expect(await look(context)).toEqual(failure)
  await shift(119)
  expect(await look(context)).toEqual(nothing)
  await shift(2)
  expect(await look(context)).toEqual(failure)
  const archives = readdirSync(folder).sort()
  expect(archives).toEqual([path.basename(file), expect.any(String)])
  expect(readFileSync(file).equals(content)).toBe(true)

  await execute(context, 'alter table label drop column strange')
  const { file: good } = await runBackup(context)
  expect(readdirSync(folder)).toEqual([path.basename(good)])
})

test('the night’s backup is made once, by one process, and the oldest go', async () => {
  await using server = await startServer({ TESSERA_BACKUP_KEEP: '2' })
  const { context } = await filled(server)
  const folder = path.join(context.config.data, 'backups')
  mkdirSync(folder)
  const older = ['tessera-2020-01-01T02-00-00Z.tar.gz', 'tessera-2020-01-02T02-00-00Z.tar.gz']
  // Another installation may keep its backups in the same folder.
  const others = ['notes.txt', 'tessera-2019-12-31T02-00-00Z.tar.gz', 'tessera-2020-01-03T02-00-00Z.tar.gz.partial']
  for (const name of [...older, ...others]) writeFileSync(path.join(folder, name), '')
  for (const name of older)
    await server.sql`insert into backup_run (location, started_at, finished_at) values (${path.join(folder, name)}, '2020-01-01', '2020-01-01')`
  await server.sql`update installation set created_at = now() - interval '2 days'`
  // One that an operator has just made without a proof is not the night's.
  await server.sql`insert into backup_run (location, finished_at) values ('/elsewhere/b.tar.gz', now())`
  const errors: unknown[] = []
  const done: string[] = []
  const processes = [1, 2].map(() =>
    startNightlyBackups(context, { onDone: ({ file }) => done.push(file), onError: error => errors.push(error) }),
  )
  await Promise.all(processes.map(each => each.firstCheck))
  for (const each of processes) each.stop()
  expect(errors).toEqual([])
  expect(done).toHaveLength(1)
  expect(readdirSync(folder).sort()).toEqual([...others, older[1], path.basename(done[0] ?? '')].sort())
})

test('a node whose clock is hours ahead or behind makes the nightly backup once, and names it by the database', {
  tags: ['long'],
}, async () => {
  for (const hours of [3, -3]) {
    await using server = await startServer()
    const { context } = await filled(server)
    await server.sql`update installation set created_at = now() - interval '2 days'`
    vi.useFakeTimers({ now: Date.now() + hours * 3_600_000, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const look = async (hour: number) => {
      const config = { ...context.config, backup: { ...context.config.backup, hour } }
      const errors: unknown[] = []
      const nightly = startNightlyBackups({ ...context, config }, { onDone: () => undefined, onError: error => errors.push(error) })
      await nightly.firstCheck
      nightly.stop()
      expect(errors).toEqual([])
    }
    await look(2)
    const rows = await server.sql<{ named: boolean }>`
      select location like '%/tessera-' || to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24-MI-SS"Z"') || '.tar.gz' as named
      from backup_run`
    expect(rows).toEqual([{ named: true }])
    // At any hour, the next night must be in the future, and must not begin during the test.
    await server.sql`update backup_run set started_at = started_at + interval '10 minutes'`
    for (let hour = 0; hour < 24; hour++) await look(hour)
    expect(await server.sql`select 1 from backup_run`).toHaveLength(1)
    vi.useRealTimers()
  }
})

test('the scheduled time is the last one that has passed', () => {
  expect(lastScheduled(new Date(2026, 10, 21, 1, 59), 2)).toEqual(new Date(2026, 10, 20, 2, 0))
  expect(lastScheduled(new Date(2026, 10, 21, 2, 0), 2)).toEqual(new Date(2026, 10, 21, 2, 0))
  expect(lastScheduled(new Date(2026, 0, 1, 0, 0), 23)).toEqual(new Date(2025, 11, 31, 23, 0))
})
