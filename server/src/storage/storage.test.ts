import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { expect, onTestFinished, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../test/fixtures/factories.ts'
import { jpeg } from '../../test/fixtures/pictures.ts'
import { startS3 } from '../../test/servers/s3.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { filesOf, upload } from '../../test/servers/upload.ts'
import { readConfig } from '../config.ts'
import { isOwnStorage } from './belonging.ts'
import { cleanUpStorage, inspectStorage, lastCleanUp } from './clean-up.ts'
import { openStorage } from './open-storage.ts'
import { newStorageKey } from './storage.ts'

async function personWithTicket(server: TestServer) {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const id = await makeUser(server.db, organization)
  await makeMember(server.db, organization, project.projectId, id, [1, 7])
  return { organization, ann: await server.signedIn(id, organization), idTicket: await makeTicket(server.db, organization, project) }
}

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
    const { ann, idTicket } = await personWithTicket(server)
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
    const { ann, idTicket } = await personWithTicket(server)
    expect((await upload(server, ann, idTicket, picture)).status).toBe(200)
    const same = await server.another()
    const elsewhere = path.join(server.system.config.data, 'elsewhere')
    const other = await server.another(kind === 'S3' ? { TESSERA_STORAGE: otherS3.setting } : { TESSERA_STORAGE: `file://${elsewhere}` })
    expect(await isOwnStorage(same.db, same.system.storage)).toBe(true)
    expect(await isOwnStorage(other.db, other.system.storage)).toBe(false)
    expect((await upload({ ...server, app: other.app }, ann, idTicket, picture)).status).toBe(503)
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
  const file = path.join(server.system.config.data, 'attachments', 'storage-id')
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(storage_id)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('an unreachable object store: 503, and nothing stored', async () => {
  const s3 = await startS3()
  await using server = await startServer({ TESSERA_STORAGE: s3.setting })
  const { ann, idTicket } = await personWithTicket(server)
  const { body } = await upload(server, ann, idTicket, picture)
  await s3.stop()
  expect((await upload(server, ann, idTicket, picture)).status).toBe(503)
  expect((await server.as(ann, attachmentDownload, { id: String(body.id) })).status).toBe(503)
  expect(readdirSync(path.join(server.system.config.data, 'uploads'))).toEqual([])
  await s3[Symbol.asyncDispose]()
})

test('an object store that accepts connections and never answers: 503 before the client gives up, and nothing stored', {
  tags: ['long'],
}, async () => {
  const s3 = await startS3()
  await using server = await startServer({ TESSERA_STORAGE: s3.setting, TESSERA_SILENCE_SECONDS: '2' })
  const { ann, idTicket } = await personWithTicket(server)
  const { body } = await upload(server, ann, idTicket, picture)
  const received = await server.system.storage.receive()
  await received.write(picture.content)
  await s3.stop()
  const silent = createServer(socket => socket.on('error', () => undefined))
  await new Promise<void>(resolve => silent.listen(Number(new URL(s3.setting).port), '127.0.0.1', resolve))

  await expect(received.keep(newStorageKey(7))).rejects.toMatchObject({ code: 'unavailable' })
  await received.discard()
  const asked = [upload(server, ann, idTicket, picture), server.as(ann, attachmentDownload, { id: String(body.id) })]
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([503, 503])
  expect((await server.app.inject({ url: '/readyz' })).json()).toMatchObject({ storage: 'unavailable' })
  expect(readdirSync(path.join(server.system.config.data, 'uploads'))).toEqual([])
  silent.close()
  await s3[Symbol.asyncDispose]()
})

/** An HTTP server in place of S3: its requests, and the setting of TESSERA_STORAGE for a bucket and prefix of it. */
async function inPlaceOfS3(port: number, answer: { status: number; body: string }) {
  const requests: IncomingMessage[] = []
  const server = createHttpServer((request, response) => {
    requests.push(request)
    request.resume()
    response.writeHead(answer.status, { 'content-type': 'application/xml' }).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { requests, at: (path: string) => `s3://KEY:SECRET@127.0.0.1:${(server.address() as AddressInfo).port}/${path}?tls=0` }
}

test('an object store that answers 503: so do uploads and downloads, and the clean-up changes nothing', async () => {
  const s3 = await startS3()
  await using server = await startServer({ TESSERA_STORAGE: s3.setting })
  const { ann, idTicket } = await personWithTicket(server)
  const { body } = await upload(server, ann, idTicket, picture)
  await s3.stop()
  await inPlaceOfS3(Number(new URL(s3.setting).port), { status: 503, body: '<Error><Code>SlowDown</Code><Message>wait</Message></Error>' })
  const asked = [upload(server, ann, idTicket, picture), server.as(ann, attachmentDownload, { id: String(body.id) })]
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([503, 503])
  await expect(cleanUpStorage(server.db, server.system.storage, { all: true })).rejects.toThrow('wait')
  expect(await lastCleanUp(server.db)).toBeNull()
  expect((await server.app.inject({ url: '/readyz' })).json()).toMatchObject({ database: 'ok', storage: 'unavailable' })
  expect((await server.app.inject({ url: '/metrics' })).body).toContain('\ntessera_storage_up 0\n')
  expect(readdirSync(path.join(server.system.config.data, 'uploads'))).toEqual([])
  await s3[Symbol.asyncDispose]()
})

test('the source of a copy in S3 is encoded, whatever the prefix is', async () => {
  const { requests, at } = await inPlaceOfS3(0, { status: 200, body: '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>' })
  const storage = openStorage(readConfig({ TESSERA_STORAGE: at('attachments/R%2BD%3F/%C3%A4%20%23%26') }))
  const key = newStorageKey(7)
  await storage.moveToBin(key, '20260101T000000Z')
  expect(requests.map(({ method, headers }) => [method, headers['x-amz-copy-source']])).toEqual([
    ['PUT', `attachments/R%2BD%3F/%C3%A4%20%23%26/${key}`],
    ['DELETE', undefined],
  ])
})

test('uploads on their way to S3 are refused while the disk that they pass through has too little space', async ({ skip }) => {
  // Its files take no space, and none is free.
  if (process.platform !== 'linux') return skip('needs /proc')
  await using s3 = await startS3()
  await using server = await startServer({ TESSERA_STORAGE: s3.setting })
  const { ann, idTicket } = await personWithTicket(server)
  symlinkSync('/proc', path.join(server.system.config.data, 'uploads'))
  expect(await upload(server, ann, idTicket, picture)).toMatchObject({
    status: 503,
    body: { error: 'The server has too little free disk space for attachments' },
  })
})

test('an invalid storage setting is refused with a readable message', () => {
  const open = (setting: string) => () => openStorage(readConfig({ TESSERA_STORAGE: setting }))
  expect(open('s3://host')).toThrow(/TESSERA_STORAGE lacks the host or the bucket/)
  expect(open('s3:nonsense')).toThrow(/TESSERA_STORAGE/)
  expect(open('file:relative/path')).toThrow(/TESSERA_STORAGE/)
  expect(open('ftp://x')).toThrow(/TESSERA_STORAGE/)
})
