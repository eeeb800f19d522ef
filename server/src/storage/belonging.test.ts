import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionOf, emptyDatabase } from '../../test/fixtures/backed-up.ts'
import { makeOrganization, makeProject, makeTicket } from '../../test/fixtures/factories.ts'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { lockWaits } from '../../test/postgres/lock-waits.ts'
import { startS3 } from '../../test/servers/s3.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import type { Db } from '../db/db.ts'
import { cleanUpFiles, removeFiles } from '../features/tickets/attachments/jobs.ts'
import { quiet } from '../lib/background/job-queue.ts'
import type { System } from '../process/system.ts'
import { awayAdvice, belongingOf, claimStorage, isOwnStorage } from './belonging.ts'
import { areTooMany, cleanUpStorage, inspectStorage, lastCleanUp } from './clean-up.ts'
import { isKey } from './names.ts'
import { newStorageKey } from './storage.ts'

test('an S3 error of two lines is shown in one', () => {
  expect(awayAdvice("char 'B' is not expected.:1:1\n  Deserialization error: to see the raw response, …")).toMatch(
    /^the storage .*TESSERA_STORAGE$/,
  )
})

const kinds = ['a folder', 'S3', 'S3 below a prefix'] as const

/** A setting of TESSERA_STORAGE for a storage of its own, and the folder in which its files really lie. */
async function placeFor(kind: (typeof kinds)[number]) {
  if (kind === 'a folder') {
    const folder = path.join(temporaryDirectory(), 'attachments')
    return { TESSERA_STORAGE: `file://${folder}`, folder }
  }
  const s3 = await startS3()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const setting = kind === 'S3' ? s3.setting : s3.setting.replace('/attachments?', '/attachments/some/where?')
  return { TESSERA_STORAGE: setting, folder: s3.directory }
}

/** Creates a ticket with attachments as uploads do: the file first, then its row. */
async function attachmentsOf({ db, system }: TestServer) {
  expect(await isOwnStorage(db, system.storage)).toBe(true)
  const organizationId = await makeOrganization(db)
  const project = await makeProject(db, organizationId)
  const ticketId = await makeTicket(db, organizationId, project)
  return async (count: number) => {
    const keys: string[] = []
    for (let at = 0; at < count; at++) {
      const incoming = await system.storage.receive()
      await incoming.write(Buffer.from(`file ${at}`))
      const key = newStorageKey(organizationId)
      await incoming.keep(key)
      keys.push(key)
      await sql`
        insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
        values (${organizationId}, ${ticketId}, 'a.jpg', 'image/jpeg', ${incoming.bytes}, ${incoming.sha256()}, ${key})`.execute(db)
    }
    return keys
  }
}

/** As if every file were two days old. */
function age(folder: string) {
  const then = Date.now() / 1000 - 48 * 3600
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = path.join(folder, String(name))
    if (statSync(file).isFile()) utimesSync(file, then, then)
  }
}

async function keysIn({ storage }: Pick<System, 'storage'>) {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys.sort()
}

/** A copy of the server's current database, like one restored for inspection. */
async function copyOf(server: TestServer) {
  const connection = connectionOf(server)
  const file = path.join(temporaryDirectory(), 'copy.tar.gz')
  await writeBackup(connection, server.system.storage, file)
  const copy = await emptyDatabase()
  await restoreBackup(file, copy.connection, async (_key, _size, content) => {
    for await (const _ of content) {
      // read to the end for its digest
    }
  })
  return { db: copy.db, system: { ...server.system, db: copy.db } }
}

async function purge(db: Db, keys: string[]) {
  await sql`/* all organizations: job */ delete from attachment where storage_key = any(${keys})`.execute(db)
}

function listening() {
  const lines: { level: 'info' | 'error'; message: string }[] = []
  const at = (level: 'info' | 'error') => (_fields: unknown, message?: string) => void lines.push({ level, message: message ?? '' })
  return { lines, log: { info: at('info'), error: at('error') } as typeof quiet }
}

for (const kind of kinds) {
  test(`${kind}: an empty database on the storage of another is not ready and loses none of its files`, async () => {
    const { TESSERA_STORAGE, folder } = await placeFor(kind)
    await using server = await startServer({ TESSERA_STORAGE })
    const keys = await (await attachmentsOf(server))(5)
    age(folder)
    await using empty = await startServer({ TESSERA_STORAGE })
    const ready = () => empty.app.inject({ url: '/readyz' })
    // An answer that takes too long counts at the next check.
    await expect.poll(async () => (await ready()).json()).toMatchObject({ database: 'ok', storage: "another database's" })
    expect((await ready()).statusCode).toBe(503)
    await expect(cleanUpFiles(empty.system, {}, quiet)).rejects.toThrow('the storage belongs to another database')
    await expect(cleanUpStorage(empty.db, empty.system.storage, { all: true })).rejects.toThrow('belongs to another database')
    await expect(removeFiles(empty.system, { keys }, quiet)).rejects.toThrow('belongs to another database')
    expect(await keysIn(server.system)).toEqual([...keys].sort())
    expect(await isOwnStorage(server.db, server.system.storage)).toBe(true)
    expect((await server.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  })

  test(`${kind}: a copy of the database, or its older state, loses nothing of the newer`, async () => {
    const { TESSERA_STORAGE, folder } = await placeFor(kind)
    await using server = await startServer({ TESSERA_STORAGE })
    const add = await attachmentsOf(server)
    await add(6)
    const copy = await copyOf(server)
    const newer = await add(3)
    age(folder)
    const all = await keysIn(server.system)
    expect(all).toHaveLength(9)
    expect((await belongingOf(copy.db, copy.system.storage)).state).toBe('foreign')
    await expect(cleanUpFiles(copy.system, {}, quiet)).rejects.toThrow('belongs to another database')
    expect(await keysIn(server.system)).toEqual(all)

    // The database itself, reset to an older state: its name is the same.
    await purge(server.db, newer)
    const { lines, log } = listening()
    await cleanUpFiles(server.system, {}, log)
    expect(lines).toContainEqual({ level: 'error', message: expect.stringContaining('3 of 9 files belong to no attachment, too many') })
    expect(await lastCleanUp(server.db)).toMatchObject({ files: 9, moved: 0, refused: 3 })
    expect((await server.app.inject({ url: '/metrics' })).body).toContain('tessera_storage_files{state="refused"} 3')
    expect(await keysIn(server.system)).toEqual(all)

    // The operator claims the storage, then back.
    await claimStorage(copy.db, copy.system.storage)
    expect(await isOwnStorage(copy.db, copy.system.storage)).toBe(true)
    expect((await belongingOf(server.db, server.system.storage)).state).toBe('foreign')
  })

  test(`${kind}: an orphan stays in the bin for 30 days, and is restored when a row names it`, async () => {
    const { TESSERA_STORAGE, folder } = await placeFor(kind)
    await using server = await startServer({ TESSERA_STORAGE })
    const { db, system } = server
    const add = await attachmentsOf(server)
    await add(40)
    const [orphan = ''] = await add(1)
    age(folder)
    const { rows } = await sql<{ row: unknown }>`
      /* all organizations: job */ select to_jsonb(a) as row from attachment a where storage_key = ${orphan}`.execute(db)
    await purge(db, [orphan])
    const { lines, log } = listening()
    await cleanUpFiles(system, {}, log)
    expect(lines).toEqual([{ level: 'info', message: 'attachments cleaned up' }])
    expect(await lastCleanUp(db)).toMatchObject({ files: 41, moved: 1, refused: 0, bin: 1, missing: 0 })
    expect(await keysIn(system)).toHaveLength(40)
    const binned = async () => {
      const found: { key: string; stamp: string }[] = []
      for await (const file of system.storage.listBin()) found.push(file)
      return found
    }
    expect(await binned()).toEqual([{ key: orphan, stamp: expect.stringMatching(/^\d{8}T\d{6}Z$/) }])

    await sql`/* all organizations: job */
      insert into attachment overriding system value select * from jsonb_populate_record(null::attachment, ${JSON.stringify(rows[0]?.row)}::jsonb)`.execute(
      db,
    )
    expect(await cleanUpStorage(db, system.storage)).toMatchObject({ putBack: 1, bin: 0, missing: 0 })
    expect(await keysIn(system)).toHaveLength(41)

    await system.storage.moveToBin(orphan, '20200101T000000Z')
    await purge(db, [orphan])
    expect(await cleanUpStorage(db, system.storage)).toMatchObject({ removed: 1, bin: 0 })
    expect(await binned()).toEqual([])
    expect(await keysIn(system)).toHaveLength(40)
  })
}

test('a storage that holds anything is not taken over, and taken when its operator says so', async () => {
  const { TESSERA_STORAGE, folder } = await placeFor('a folder')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'letter.txt'), 'Dear Sir or Madam')
  await using server = await startServer({ TESSERA_STORAGE })
  expect(await belongingOf(server.db, server.system.storage)).toMatchObject({ state: 'foreign', id: null })
  expect(readdirSync(folder)).toEqual(['letter.txt'])
  await claimStorage(server.db, server.system.storage)
  expect(await isOwnStorage(server.db, server.system.storage)).toBe(true)
  age(folder)
  expect(await cleanUpStorage(server.db, server.system.storage, { all: true })).toMatchObject({ files: 0, moved: 0 })
  expect(readFileSync(path.join(folder, 'letter.txt'), 'utf8')).toBe('Dear Sir or Madam')
})

test('a disk with only lost+found counts as empty', async () => {
  const { TESSERA_STORAGE, folder } = await placeFor('a folder')
  mkdirSync(path.join(folder, 'lost+found'), { recursive: true })
  await using server = await startServer({ TESSERA_STORAGE })
  expect(await isOwnStorage(server.db, server.system.storage)).toBe(true)
})

test('a folder without files counts as empty, so that a failed restore can be repeated', async () => {
  const { TESSERA_STORAGE } = await placeFor('a folder')
  await using server = await startServer({ TESSERA_STORAGE })
  const { storage } = server.system
  const keys = await (await attachmentsOf(server))(2)
  expect(await storage.holdsAnything()).toBe(true)
  for (const key of keys) await storage.remove(key)
  expect(await storage.holdsAnything()).toBe(false)
})

test('files that were copied under their paths, from a folder to S3, are still the storage of the database', async () => {
  const { TESSERA_STORAGE, folder } = await placeFor('a folder')
  const to = await placeFor('S3 below a prefix')
  await using server = await startServer({ TESSERA_STORAGE })
  await (await attachmentsOf(server))(3)
  const { host, username: accessKeyId, password: secretAccessKey } = new URL(to.TESSERA_STORAGE)
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint: `http://${host}`, region: 'us-east-1', forcePathStyle: true, credentials })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    const Key = `some/where/${name}`
    if (statSync(file).isFile()) await client.send(new PutObjectCommand({ Bucket: 'attachments', Key, Body: readFileSync(file) }))
  }
  client.destroy()
  const { system } = await server.another({ TESSERA_STORAGE: to.TESSERA_STORAGE })
  expect(await isOwnStorage(server.db, system.storage)).toBe(true)
  expect(await inspectStorage(server.db, system.storage)).toMatchObject({ files: 3, missing: 0, orphans: 0 })
})

test('with a prefix, nothing else in the bucket is listed', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  await using whole = await startServer({ TESSERA_STORAGE: s3.setting })
  const keys = await (await attachmentsOf(whole))(2)
  await using part = await startServer({ TESSERA_STORAGE: s3.setting.replace('/attachments?', '/attachments/2?') })
  await (await attachmentsOf(part))(1)
  age(s3.directory)
  expect(await keysIn(part.system)).toHaveLength(1)
  expect(await keysIn(whole.system)).toEqual([...keys].sort())
})

test('a storage of an older version, which names no database, is named by the database that knows its id', async () => {
  const { TESSERA_STORAGE, folder } = await placeFor('a folder')
  await using server = await startServer({ TESSERA_STORAGE })
  await (await attachmentsOf(server))(1)
  const mark = path.join(folder, 'storage-id')
  const [id = '', owner] = readFileSync(mark, 'utf8').split('\n')
  writeFileSync(mark, `${id}\n`)
  await using empty = await startServer({ TESSERA_STORAGE })
  expect((await belongingOf(empty.db, empty.system.storage)).state).toBe('foreign')
  expect((await belongingOf(server.db, server.system.storage)).state).toBe('own')
  expect(readFileSync(mark, 'utf8')).toBe(`${id}\n${owner}\n`)
})

test('more than 100 orphans, or more than 5 % of all files, are too many', () => {
  const report = (orphans: number, files: number) => ({ files, orphans })
  expect([report(5, 100), report(100, 5000), report(0, 0)].map(areTooMany)).toEqual([false, false, false])
  expect([report(6, 100), report(101, 5000), report(1, 19)].map(areTooMany)).toEqual([true, true, true])
})

test('only names of the storage’s own form are keys', () => {
  const id = randomUUID()
  expect(isKey(newStorageKey(7))).toBe(true)
  for (const name of [id, `7/aa/${id}`, `7/aa/bb/${id}.txt`, `x/7/aa/bb/${id}`, `7/aa/bb/../${id}`, `bin/7/aa/bb/${id}`, `0/aa/bb/${id}`])
    expect(isKey(name), name).toBe(false)
})

test('nodes that start together on an empty storage agree on it', async () => {
  const { TESSERA_STORAGE } = await placeFor('S3')
  await using server = await startServer({ TESSERA_STORAGE })
  const [first, second] = [server, await server.another()]
  const read = Promise.withResolvers<void>()
  // The second node has seen the empty storage, and writes once the first one is done or waits for it.
  const { storage } = second.system
  const { writeFirstMark } = storage
  storage.writeFirstMark = async mark => {
    read.resolve()
    await vi.waitUntil(async () => isDone || (await lockWaits(server.db)) > 0, 30_000)
    await writeFirstMark.call(storage, mark)
  }
  let isDone = false
  const late = belongingOf(second.db, storage)
  await read.promise
  const early = belongingOf(first.db, first.system.storage)
  void early.finally(() => {
    isDone = true
  })
  expect([(await early).state, (await late).state]).toEqual(['own', 'own'])
})
