import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { initializedDirectory, postmasterPid, query, refusal, started, temporaryDirectory } from '../../../test/postgres/embedded.ts'
import { initialize } from './data-directory/initialize.ts'
import { cutWhenLarge } from './process/log-file.ts'
import { startEmbedded } from './start-embedded.ts'

test('cold and warm start on disk: durable, in UTF-8 with the collation of the server itself, without a TCP port', async () => {
  const directory = path.join(temporaryDirectory(tmpdir()), 'data')
  const cold = performance.now()
  const first = await startEmbedded({ directory })
  const warm = performance.now()
  const [settings] = await query(
    first.connection,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
            current_setting('full_page_writes') as full_page_writes, current_setting('data_checksums') as checksums,
            current_setting('listen_addresses') as addresses, current_setting('random_page_cost') as random_page_cost,
            pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale
       from pg_database where datname = current_database()`,
  )
  const stop = performance.now()
  await first.stop()
  const again = performance.now()
  const second = await started({ directory })
  console.info(
    `cold start ${Math.round(warm - cold)} ms, stop ${Math.round(again - stop)} ms, warm start ${Math.round(performance.now() - again)} ms`,
  )
  const on = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', checksums: 'on' }
  expect(settings).toEqual({ ...on, addresses: '', random_page_cost: '1.1', encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' })
  expect(await first.exited).toEqual({ expected: true, reason: 'exit code 0' })
  expect(second).toMatchObject({ dataDirectory: path.join(directory, 'postgres'), tookOver: false, notice: null })
  expect(readdirSync(directory).sort()).toEqual(['postgres', 'postgres.lock', 'postgres.log', 'tessera.lock'])
  expect(readFileSync(path.join(directory, 'postgres/pg_hba.conf'), 'utf8')).toMatch(/^host +all +all +127\.0\.0\.1\/32 +reject$/m)
})

test('settings of the caller win over the product, except where the server listens', async () => {
  const settings = { shared_buffers: '16MB', listen_addresses: '*' }
  const { connection } = await started({ directory: initializedDirectory(), settings })
  const [row] = await query(
    connection,
    `select current_setting('shared_buffers') as buffers, current_setting('listen_addresses') as addresses`,
  )
  expect(row).toEqual({ buffers: '16MB', addresses: '' })
})

test('a second start on the same directory refuses and leaves the first alone', async () => {
  const directory = initializedDirectory()
  const { connection } = await started({ directory })
  const message = await refusal({ directory })
  expect(message).toBe(
    `${directory} is already in use by another Tessera (process ${process.pid}): stop that one, or set TESSERA_DATA to another directory.`,
  )
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('two first starts at the same moment: one serves, one refuses', async () => {
  const directory = temporaryDirectory()
  const results = await Promise.allSettled([started({ directory }), started({ directory })])
  expect(results.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a socket path that is too long for the kernel is replaced by a private folder', { tags: ['long'] }, async () => {
  const directory = path.join(temporaryDirectory(), 'a'.repeat(60), 'b'.repeat(60))
  const { connection, dataDirectory, stop } = await started({ directory })
  expect(connection.host).not.toBe(dataDirectory)
  expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await stop()
  expect(existsSync(connection.host)).toBe(false)
})

test('a path with spaces, commas and quotes works', { tags: ['long'] }, async () => {
  const directory = path.join(temporaryDirectory(), `it's "my, data" 100%$HOME`)
  const { connection } = await started({ directory })
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a data directory that was moved to another disk and linked works', { tags: ['long'] }, async () => {
  const directory = initializedDirectory()
  const { dataDirectory, stop } = await startEmbedded({ directory })
  await stop()
  const disk = path.join(temporaryDirectory(), 'disk')
  renameSync(dataDirectory, disk)
  symlinkSync(disk, dataDirectory)
  const again = await started({ directory })
  expect(again.dataDirectory).toBe(disk)
  expect(await query(again.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('stop ends busy, idle and forgotten connections within seconds', async () => {
  const server = await started({ directory: initializedDirectory() })
  const clients = await Promise.all(
    ['select pg_sleep(60)', 'begin', 'select 1'].map(async text => {
      const client = new pg.Client(server.connection)
      client.on('error', () => {})
      await client.connect()
      const answer = client.query(text).catch((error: Error) => error.message)
      return { client, answer }
    }),
  )
  await clients[2]?.answer
  const start = performance.now()
  await server.stop()
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(await clients[0]?.answer).toMatch(/terminating connection/)
  expect(await server.exited).toMatchObject({ expected: true })
})

test('a server that dies is reported, and can be started again by the same process', async () => {
  const directory = initializedDirectory()
  const server = await started({ directory })
  process.kill(postmasterPid(server.dataDirectory), 'SIGKILL')
  expect(await server.exited).toEqual({ expected: false, reason: 'exit code 137' })
  const again = await started({ directory })
  expect(await query(again.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.each([
  ['fsync', (data: string) => appendFileSync(path.join(data, 'postgresql.conf'), '\nfsync = off\n')],
  ['full_page_writes', (data: string) => appendFileSync(path.join(data, 'postgresql.auto.conf'), '\nfull_page_writes = off\n')],
])('a server that could lose a commit is refused: %s', async (setting, weaken) => {
  const directory = initializedDirectory()
  const { dataDirectory, stop } = await startEmbedded({ directory })
  await stop()
  weaken(dataDirectory)
  expect(await refusal({ directory })).toContain(`${setting} = off, which can lose or damage data: remove that from`)
  expect(existsSync(path.join(dataDirectory, 'postmaster.pid'))).toBe(false)
})

test('a role whose settings acknowledge commits too early is refused', { tags: ['long'] }, async () => {
  const directory = initializedDirectory()
  const { connection, stop } = await startEmbedded({ directory })
  await query(connection, 'alter role tessera set synchronous_commit = off')
  await stop()
  expect(await refusal({ directory })).toContain('synchronous_commit = off')
})

test('a failed initdb leaves no files and says why', async () => {
  const directory = temporaryDirectory()
  const initdb = path.join(directory, 'initdb')
  writeFileSync(initdb, '#!/bin/sh\ntouch "$2/half"\necho "initdb: error: no space left on device" >&2\nexit 1\n', { mode: 0o755 })
  const making = initialize(path.join(directory, 'postgres'), {
    binaries: { initdb, postgres: '', major: '18' },
    account: null,
    durable: true,
  })
  await expect(making).rejects.toThrow(`Cannot create a database in ${directory} (initdb: error: no space left on device): `)
  expect(readdirSync(directory)).toEqual(['initdb'])
})

test('the remains of an interrupted start are removed', { tags: ['long'] }, async () => {
  const directory = temporaryDirectory()
  mkdirSync(path.join(directory, 'postgres.new-4711/base'), { recursive: true })
  await started({ directory })
  expect(readdirSync(directory).filter(name => name.includes('new'))).toEqual([])
})

test('foreign files in the place of the data are not touched', async () => {
  const directory = temporaryDirectory()
  mkdirSync(path.join(directory, 'postgres'))
  writeFileSync(path.join(directory, 'postgres/notes.txt'), 'mine')
  const message = await refusal({ directory })
  expect(message).toMatch(/holds files but no database|belongs to root/)
  expect(readdirSync(directory).filter(name => name.startsWith('postgres'))).toEqual(['postgres'])
})

test('data of another major version are refused, not damaged', { tags: ['long'] }, async () => {
  const directory = temporaryDirectory()
  const { dataDirectory, stop } = await startEmbedded({ directory })
  await stop()
  writeFileSync(path.join(dataDirectory, 'PG_VERSION'), '17\n')
  expect(await refusal({ directory })).toMatch(/was written by PostgreSQL 17 and this Tessera brings 18: make a backup/)
})

test('a server that does not start says why in one line', { tags: ['long'] }, async () => {
  const message = await refusal({ directory: temporaryDirectory(), settings: { max_connections: 'many' } })
  expect(message).toMatch(
    /^The bundled PostgreSQL did not start \(invalid value for parameter "max_connections": "many"\): see .*postgres\.log$/,
  )
})

test('the log is cut by size and keeps one older part', () => {
  const file = path.join(temporaryDirectory(), 'postgres.log')
  cutWhenLarge(file, 10)
  writeFileSync(file, 'more than ten bytes')
  cutWhenLarge(file, 10)
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]).toEqual(['', 'more than ten bytes'])
})
