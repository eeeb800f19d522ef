import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { jpeg } from '../../test/fixtures/pictures.ts'
import { ticketWithPeople } from '../../test/fixtures/worlds/ticket-with-people.ts'
import { startS3 } from '../../test/servers/s3.ts'
import { startServer } from '../../test/servers/server.ts'
import { filesOf, upload } from '../../test/servers/upload.ts'
import { readConfig } from '../config.ts'
import { acrossOrganizations } from '../db/guard/across-organizations.ts'
import { belongingOf, isOwnStorage } from './belonging.ts'
import { inspectStorage } from './clean-up.ts'
import { openStorage } from './open-storage.ts'
import { newStorageKey } from './storage.ts'

async function all<T>(list: AsyncIterable<T>) {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

const picture = { name: 'photo.jpg', content: Buffer.concat([jpeg(), randomBytes(70_000)]) }

for (const kind of ['a folder', 'S3'] as const) {
  test(`${kind}: bytes come back as they went in, are listed and removed`, async () => {
    await using s3 = await startS3()
    await using server = await startServer(kind === 'S3' ? { TESSERA_STORAGE: s3.setting } : {})
    const { storage } = server.system
    expect(await isOwnStorage(server.db, storage)).toBe(true)
    for (const size of [0, 1, 70_000, 9_000_000]) {
      const content = randomBytes(size)
      const incoming = await storage.receive()
      for (let from = 0; from < size; from += 65_536) await incoming.write(content.subarray(from, from + 65_536))
      expect(incoming.bytes).toBe(size)
      expect(incoming.sha256().equals(createHash('sha256').update(content).digest())).toBe(true)
      const key = newStorageKey(7)
      await incoming.keep(key)
      await incoming.discard()
      const stream = await storage.read(key)
      expect(stream && (await buffer(stream)).equals(content), `${size} bytes`).toBe(true)
    }
    const listed = await all(storage.list())
    expect(listed).toHaveLength(4)
    for (const { modifiedAt } of listed) expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000)
    for (const { key } of listed) await storage.remove(key)
    expect(await all(storage.list())).toEqual([])
    expect(await storage.read(listed[0]?.key as string)).toBeNull()
    await storage.remove(listed[0]?.key as string)
    // A discarded upload leaves nothing behind.
    const incoming = await storage.receive()
    await incoming.write(Buffer.from('x'))
    await incoming.discard()
    expect(await all(storage.list())).toEqual([])
  })

  test(`${kind}: an upload and its download through the calls`, async () => {
    await using s3 = await startS3()
    await using server = await startServer(kind === 'S3' ? { TESSERA_STORAGE: s3.setting } : {})
    const { ann, idTicket } = await ticketWithPeople(server)
    const { body, status } = await upload(server, ann, idTicket, picture)
    expect(status).toBe(200)
    const got = await server.app.inject({ url: `${attachmentDownload.path}?id=${body.id}`, cookies: ann.cookies })
    expect(got.statusCode).toBe(200)
    expect(got.rawPayload.equals(picture.content)).toBe(true)
    expect((await upload(server, ann, idTicket, { name: 'x.jpg', content: Buffer.from('no picture') })).status).toBe(415)
    expect((await server.app.inject({ url: '/metrics' })).body).toContain('\ntessera_storage_up 1\n')
    expect(await inspectStorage(server.db, server.system.storage)).toEqual({ files: 1, orphans: 0, missing: 0, lost: [] })
    expect(readdirSync(path.join(server.system.config.data, kind === 'S3' ? 'uploads' : 'attachments/incoming'))).toEqual([])
  })

  test(`${kind}: a process with another disk or bucket is not ready and serves no file`, async () => {
    await using s3 = await startS3()
    await using otherS3 = await startS3()
    await using server = await startServer(kind === 'S3' ? { TESSERA_STORAGE: s3.setting } : {})
    const { ann, idTicket } = await ticketWithPeople(server)
    const { body } = await upload(server, ann, idTicket, picture)
    const same = await server.another()
    const elsewhere = path.join(server.system.config.data, 'elsewhere')
    const other = await server.another(kind === 'S3' ? { TESSERA_STORAGE: otherS3.setting } : { TESSERA_STORAGE: `file://${elsewhere}` })
    expect(await isOwnStorage(same.db, same.system.storage)).toBe(true)
    expect(await isOwnStorage(other.db, other.system.storage)).toBe(false)
    // It may be the folder where a disk is not mounted yet: nothing is written there.
    expect(await other.system.storage.readMark()).toBe(null)
    const { status, headers } = await upload({ ...server, app: other.app }, ann, idTicket, picture)
    expect([status, Number(headers['retry-after'])]).toEqual([503, 5])
    const download = { url: `${attachmentDownload.path}?id=${body.id}`, cookies: ann.cookies }
    expect((await same.app.inject(download)).statusCode).toBe(200)
    expect((await other.app.inject(download)).statusCode).toBe(503)
    // Nor one with a storage of another installation.
    if (kind === 'a folder') {
      mkdirSync(elsewhere, { recursive: true })
      writeFileSync(path.join(elsewhere, 'storage-id'), '00000000-0000-4000-8000-000000000000\n')
      expect(await isOwnStorage(other.db, other.system.storage)).toBe(false)
      rmSync(path.join(server.system.config.data, 'attachments', 'storage-id'))
      expect(await isOwnStorage(same.db, same.system.storage)).toBe(false)
    }
    expect(filesOf({ config: readConfig({ TESSERA_DATA: server.system.config.data, TESSERA_STORAGE: `file://${elsewhere}` }) })).toEqual([])
  })
}

test('the first processes to use an empty folder agree on its id', async () => {
  await using server = await startServer()
  const others = await Promise.all([server.another(), server.another(), server.another()])
  expect(await Promise.all(others.map(({ system, db }) => isOwnStorage(db, system.storage)))).toEqual([true, true, true])
  const { storage_id } = await server.db.selectFrom('installation').select('storage_id').executeTakeFirstOrThrow()
  // Whoever read the folder before it had one replaces nothing.
  await server.system.storage.writeFirstMark({ id: randomUUID(), owner: 'another' })
  const file = path.join(server.system.config.data, 'attachments', 'storage-id')
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(storage_id)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

// On a cluster the role would have to exist on each server.
test.skipIf(inject('servers').length > 1)(
  'an empty storage is claimed also where the database user may not ask for the id of the cluster',
  async () => {
    await using server = await startServer()
    const claimed = server.db.transaction().execute(async db => {
      for (const statement of [
        'create role customer',
        'grant select, update on installation to customer',
        'revoke execute on function pg_control_system() from public',
        'set local role customer',
      ])
        await sql`${acrossOrganizations('operator')} ${sql.raw(statement)}`.execute(db)
      const { state } = await belongingOf(db, server.system.storage)
      throw new Error(state)
    })
    await expect(claimed).rejects.toThrow('own')
    expect((await server.system.storage.readMark())?.owner).toMatch(/^[-0-9a-f]{36}\/-\/\d+$/)
  },
)

test('an invalid storage setting is refused with a readable message', () => {
  const open = (setting: string) => () => openStorage(readConfig({ TESSERA_STORAGE: setting }))
  expect(open('s3://host')).toThrow(/TESSERA_STORAGE lacks the host or the bucket/)
  expect(open('s3:nonsense')).toThrow(/TESSERA_STORAGE/)
  expect(open('file:relative/path')).toThrow(/TESSERA_STORAGE/)
  expect(open('ftp://x')).toThrow(/TESSERA_STORAGE/)
})
