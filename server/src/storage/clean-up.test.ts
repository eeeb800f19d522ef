import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { connectionOf, emptyDatabase } from '../../test/fixtures/backed-up.ts'
import { picture, ticketWithPeople } from '../../test/fixtures/worlds/ticket-with-people.ts'
import { startS3 } from '../../test/servers/s3.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { upload } from '../../test/servers/upload.ts'
import { openClient } from '../backup/database/tables.ts'
import { cleanUpFiles } from '../features/tickets/attachments/jobs.ts'
import { quiet } from '../lib/background/job-queue.ts'
import { claimStorage, isOwnStorage, reserveStorage } from './belonging.ts'
import { backupLock, cleanUpStorage, inspectStorage, isBackupRunning, lastCleanUp } from './clean-up.ts'
import { stampOf } from './names.ts'
import { newStorageKey, type Storage } from './storage.ts'

async function keysFrom(storage: Storage, after?: string) {
  const keys: string[] = []
  for await (const { key } of storage.list(after)) keys.push(key)
  return keys
}

for (const kind of ['a folder', 'S3'] as const) {
  test(`${kind}: files are listed in the order of their keys, from any of them on`, async () => {
    await using s3 = await startS3()
    await using server = await startServer(kind === 'S3' ? { TESSERA_STORAGE: s3.setting } : {})
    const { storage } = server.system
    const keys = [2, 10, 1, 9, 10, 1, 123].map(newStorageKey)
    for (const key of keys) {
      const incoming = await storage.receive()
      await incoming.keep(key)
    }
    keys.sort()
    for (const from of [0, 1, 2, 3, 4, 5, 6, 7]) {
      expect(await keysFrom(storage, keys[from - 1])).toEqual(keys.slice(from))
    }
  })

  test(`${kind}: each of many rows without a file is reported once, of every organization`, async () => {
    await using s3 = await startS3()
    await using server = await startServer(kind === 'S3' ? { TESSERA_STORAGE: s3.setting } : {})
    const people = [await ticketWithPeople(server), await ticketWithPeople(server)] as const
    await upload(server, people[0].ann, people[0].idTicket, picture)
    for (const { organization, idTicket } of people) await rowsWithoutFile(server, organization, idTicket, 1500)
    const { lost, ...counts } = await inspectStorage(server.db, server.system.storage)
    expect(counts).toEqual({ files: 1, orphans: 0, missing: 3000 })
    expect(new Set(lost.map(({ storageKey }) => storageKey)).size).toBe(20)
  })
}

function rowsWithoutFile({ sql }: TestServer, organization: number, idTicket: number, count: number) {
  return sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organization}::bigint, ${idTicket}::bigint, 'x.jpg', 'image/jpeg', 1, '', format('%s/%s/%s/%s', ${organization}::bigint, left(id, 2), substr(id, 3, 2), id)
    from (select gen_random_uuid()::text as id from generate_series(1, ${count}::int)) i`
}

test('rows and files are compared in pages, wherever one of the two is missing', async () => {
  await using server = await startServer()
  const { db, system } = server
  expect(await isOwnStorage(db, system.storage)).toBe(true)
  // Although it is empty.
  await expect(reserveStorage(db, system.storage, false)).rejects.toThrow('belongs to another database')
  const { organization, idTicket } = await ticketWithPeople(server)
  await rowsWithoutFile(server, organization, idTicket, 1200)
  const rows = await server.sql<{
    key: string
  }>`select storage_key as key from attachment where organization_id = ${organization} limit 600`
  const present = rows.map(({ key }) => key)
  const orphans = Array.from({ length: 450 }, () => newStorageKey(organization))
  const then = Date.now() / 1000 - 48 * 3600
  for (const key of [...present, ...orphans]) {
    const file = path.join(system.config.data, 'attachments', key)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '')
    utimesSync(file, then, then)
  }
  writeFileSync(path.join(system.config.data, 'attachments', String(organization), 'note.txt'), 'Not an attachment')
  expect(await inspectStorage(db, system.storage)).toMatchObject({ files: 1050, orphans: 450, missing: 600 })
  // What was left of an upload goes. One that goes on stays, and so do files of others.
  const uploads = path.join(system.config.data, 'attachments/incoming')
  const incoming = await system.storage.receive()
  for (const name of [randomUUID(), 'letter.txt']) {
    writeFileSync(path.join(uploads, name), '')
    utimesSync(path.join(uploads, name), then, then)
  }
  expect(await cleanUpStorage(db, system.storage)).toMatchObject({ moved: 0, refused: 450, missing: 600, abandoned: 1 })
  expect(readdirSync(uploads).sort()).toEqual([path.basename(incoming.path), 'letter.txt'].sort())
  await incoming.discard()
  expect(await cleanUpStorage(db, system.storage, { all: true })).toMatchObject({ moved: 450, bin: 450, missing: 600 })
  expect(await keysFrom(system.storage)).toEqual(present.sort())

  // 29 days in the bin are not enough to be deleted.
  const young = newStorageKey(organization)
  await (await system.storage.receive()).keep(young)
  await system.storage.moveToBin(young, stampOf(new Date(Date.now() - 29 * 86_400_000)))
  // What rows name comes back, however much it is.
  await server.sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organization}::bigint, ${idTicket}::bigint, 'x.jpg', 'image/jpeg', 1, '', key from unnest(${orphans}::text[]) key`
  expect(await cleanUpStorage(db, system.storage)).toMatchObject({ putBack: 450, removed: 0, bin: 1, missing: 600 })
  // Of a storage that was claimed since, nothing is known.
  expect(await lastCleanUp(db)).toMatchObject({ putBack: 450 })
  await claimStorage(db, system.storage)
  expect(await lastCleanUp(db)).toBeNull()
  // An attachment that is purged while files are listed has not lost its file.
  const { list } = system.storage
  const [absent] = await server.sql<{ key: string }>`
    select min(storage_key collate "C") as key from attachment
    where organization_id = ${organization} and storage_key <> all(${[...present, ...orphans]})`
  system.storage.list = async function* (after) {
    await server.sql`delete from attachment where organization_id = ${organization} and storage_key = ${absent?.key}`
    yield* list.call(this, after)
  }
  expect(await inspectStorage(db, system.storage)).toMatchObject({ files: 1050, missing: 599 })
  // A backup of another database in the same cluster hinders nothing.
  const elsewhere = await openClient((await emptyDatabase()).connection)
  await elsewhere.query('select pg_advisory_lock($1)', [backupLock])
  expect(await isBackupRunning(db)).toBe(false)
  await elsewhere.end()
  // A backup that began meanwhile may still need the files.
  const client = await openClient(connectionOf(server))
  system.storage.list = async function* (after) {
    await client.query('select pg_advisory_lock($1)', [backupLock])
    yield* list.call(this, after)
  }
  await expect(cleanUpStorage(db, system.storage)).rejects.toThrow('A backup is being written')
  // The hourly clean-up waits for the next hour, and does not fail.
  await cleanUpFiles(system, {}, quiet)
  await client.end()
  // A server that lists in another order would make every file look like an orphan.
  system.storage.list = list
  const keys = await keysFrom(system.storage)
  system.storage.list = async function* () {
    for (const key of keys.reverse()) yield { key, modifiedAt: new Date() }
  }
  await expect(cleanUpStorage(db, system.storage)).rejects.toThrow('in no order')
})
