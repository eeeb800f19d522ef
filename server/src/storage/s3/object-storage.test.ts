import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, symlinkSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { expect, onTestFinished, test } from 'vitest'
import { jpeg } from '../../../test/fixtures/pictures.ts'
import { ticketWithPeople } from '../../../test/fixtures/worlds/ticket-with-people.ts'
import { temporaryDirectory } from '../../../test/postgres/embedded.ts'
import { tessera } from '../../../test/servers/command.ts'
import { addressOf } from '../../../test/servers/process.ts'
import { startS3 } from '../../../test/servers/s3.ts'
import { startServer, type TestServer } from '../../../test/servers/server.ts'
import { upload } from '../../../test/servers/upload.ts'
import { readConfig } from '../../config.ts'
import { damagedFiles } from '../../features/tickets/attachments/jobs.ts'
import { isOwnStorage } from '../belonging.ts'
import { cleanUpStorage, lastCleanUp } from '../clean-up.ts'
import { openStorage } from '../open-storage.ts'
import { newStorageKey } from '../storage.ts'

const picture = { name: 'photo.jpg', content: Buffer.concat([jpeg(), randomBytes(70_000)]) }

test('an unreachable object store: 503, and nothing stored', async () => {
  const s3 = await startS3()
  await using server = await startServer({ TESSERA_STORAGE: s3.setting })
  const { ann, idTicket } = await ticketWithPeople(server)
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
  const { ann, idTicket } = await ticketWithPeople(server)
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
  await expectReadyWithoutStorage(server)
  expect(readdirSync(path.join(server.system.config.data, 'uploads'))).toEqual([])
  silent.close()
  await s3[Symbol.asyncDispose]()
})

test('S3 that is busy for a moment: an upload is attempted again, three times at most', async () => {
  await using s3 = await startS3()
  let [busy, most] = [0, 2]
  const setting = await inFrontOf(s3.setting, (request, response, pass) => {
    if (request.method !== 'PUT' || request.url?.includes('storage-id') || busy++ >= most) return pass()
    request.resume()
    const status = busy === 1 ? 503 : 429
    response.writeHead(status, { 'content-type': 'application/xml' }).end('<Error><Code>SlowDown</Code><Message>wait</Message></Error>')
  })
  await using server = await startServer({ TESSERA_STORAGE: setting })
  const { ann, idTicket } = await ticketWithPeople(server)
  const { status, body } = await upload(server, ann, idTicket, picture)
  expect([status, busy]).toEqual([200, 3])
  const got = await server.app.inject({ url: `${attachmentDownload.path}?id=${body.id}`, cookies: ann.cookies })
  expect(got.rawPayload.equals(picture.content)).toBe(true)
  ;[busy, most] = [0, 10]
  expect([(await upload(server, ann, idTicket, picture)).status, busy]).toEqual([503, 3])
})

test('S3 whose key may read but not write, or write but not delete: the doctor says so, and stores nothing where it may do both', async () => {
  await using s3 = await startS3()
  let refused = ''
  const setting = await inFrontOf(s3.setting, (request, response, pass) => {
    if (request.method !== refused || request.url?.includes('storage-id')) return pass()
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code><Message>Denied</Message></Error>')
  })
  await using server = await startServer({ TESSERA_STORAGE: setting })
  expect(await isOwnStorage(server.db, server.system.storage)).toBe(true)
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data, TESSERA_STORAGE: setting }
  const line = async () => (await tessera(settings, 'doctor')).output.match(/^\w+ +(storage|attachments) .*$/m)?.[0]
  expect(await line()).toMatch(/^ok +attachments +0 files$/)
  expect(await server.system.storage.holdsAnything()).toBe(false)
  const { ann, idTicket } = await ticketWithPeople(server)
  refused = 'PUT'
  expect(await line()).toMatch(/^bad +storage +cannot be written to \(.*Denied\): uploads fail; /)
  expect((await upload(server, ann, idTicket, picture)).status).toBe(503)
  refused = 'DELETE'
  expect(await line()).toMatch(/^bad +storage +keeps deleted files \(.*Denied\): .*; uploads are not affected\.$/)
  expect((await upload(server, ann, idTicket, picture)).status).toBe(200)
})

test('S3 that kept less than it was sent: the upload is refused, and nothing stored', async () => {
  await using s3 = await startS3()
  const setting = await inFrontOf(s3.setting, (request, response, pass) => {
    if (request.method !== 'HEAD') return pass()
    response.writeHead(200, { 'content-length': picture.content.length - 1 }).end()
  })
  await using server = await startServer({ TESSERA_STORAGE: setting })
  const { ann, idTicket } = await ticketWithPeople(server)
  expect((await upload(server, ann, idTicket, picture)).status).toBe(503)
  expect(await server.sql`/* all organizations: job */ select id from attachment`).toEqual([])
  expect(readdirSync(path.join(server.system.config.data, 'uploads'))).toEqual([])
})

test('S3 may take longer for the answer to a large upload than for that to a small one', async () => {
  await using s3 = await startS3()
  let sent = 0
  const setting = await inFrontOf(s3.setting, (request, _, pass) => {
    if (request.method !== 'PUT') return pass()
    sent++
    setTimeout(pass, 600)
  })
  // A quarter of a second, and at least a second for these bytes.
  const storage = openStorage(readConfig({ TESSERA_STORAGE: setting, TESSERA_SILENCE_SECONDS: '1', TESSERA_DATA: temporaryDirectory() }))
  const incoming = await storage.receive()
  await incoming.write(Buffer.alloc(64_000))
  await incoming.keep(newStorageKey(7))
  expect(sent).toBe(1)
})

test('S3 that falls silent in the middle of a file: reading it fails', async () => {
  await using s3 = await startS3()
  const setting = await inFrontOf(s3.setting, (request, response, pass) => {
    if (request.method !== 'GET' || /storage-id|list-type/.test(request.url ?? '')) return pass()
    response.writeHead(200, { 'content-length': picture.content.length }).write(picture.content.subarray(0, 30_000))
  })
  await using server = await startServer({ TESSERA_STORAGE: s3.setting })
  const { ann, idTicket } = await ticketWithPeople(server)
  expect((await upload(server, ann, idTicket, picture)).status).toBe(200)
  const storage = openStorage(readConfig({ TESSERA_STORAGE: setting, TESSERA_SILENCE_SECONDS: '4' }))
  await expect(damagedFiles(server.db, storage, 100)).rejects.toThrow('fell silent in the middle of a file')
})

test('S3 that does not delete: a refused upload is answered with its reason', async () => {
  await using s3 = await startS3()
  const setting = await inFrontOf(s3.setting, (request, response, pass) => {
    if (request.method !== 'DELETE') return pass()
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>')
  })
  await using server = await startServer({ TESSERA_STORAGE: setting })
  const { organization, ann, idTicket } = await ticketWithPeople(server)
  await server.sql`update organization set attachment_quota = 1 where id = ${organization}`
  expect(await upload(server, ann, idTicket, picture)).toMatchObject({
    status: 422,
    body: { error: 'The organization has no room left for attachments' },
  })
})

/** A server in front of S3 that passes requests on or answers them itself: the setting of TESSERA_STORAGE for it. */
async function inFrontOf(setting: string, answer: (request: IncomingMessage, response: ServerResponse, pass: () => void) => void) {
  const { port } = new URL(setting)
  const server = createHttpServer((request, response) => {
    answer(request, response, () => {
      const { method = '', url = '', headers } = request
      const passed = httpRequest({ port, method, path: url, headers }, got => {
        response.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(response)
      })
      passed.on('error', () => response.destroy())
      request.pipe(passed)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return setting.replace(`:${port}/`, `:${(server.address() as AddressInfo).port}/`)
}

/** Otherwise a load balancer would take out all servers at once, although everything except attachments works. */
async function expectReadyWithoutStorage({ app }: TestServer) {
  await expect.poll(async () => (await app.inject({ url: '/readyz' })).json()).toMatchObject({ database: 'ok', storage: 'unavailable' })
  expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200)
}

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
  const { ann, idTicket } = await ticketWithPeople(server)
  const { body } = await upload(server, ann, idTicket, picture)
  await s3.stop()
  await inPlaceOfS3(Number(new URL(s3.setting).port), { status: 503, body: '<Error><Code>SlowDown</Code><Message>wait</Message></Error>' })
  const asked = [upload(server, ann, idTicket, picture), server.as(ann, attachmentDownload, { id: String(body.id) })]
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([503, 503])
  await expect(cleanUpStorage(server.db, server.system.storage, { all: true })).rejects.toThrow('wait')
  expect(await lastCleanUp(server.db)).toBeNull()
  await expectReadyWithoutStorage(server)
  expect((await server.app.inject({ url: '/metrics' })).body).toContain('\ntessera_storage_up 0\n')
  expect(readdirSync(path.join(server.system.config.data, 'uploads'))).toEqual([])
  await s3[Symbol.asyncDispose]()
})

test('a list of S3 whose token for the next page is empty has ended', async () => {
  const body = '<ListBucketResult><IsTruncated>false</IsTruncated><NextContinuationToken></NextContinuationToken></ListBucketResult>'
  const { requests, at } = await inPlaceOfS3(0, { status: 200, body })
  expect(await openStorage(readConfig({ TESSERA_STORAGE: at('attachments') })).holdsAnything()).toBe(false)
  expect(requests).toHaveLength(1)
})

test('the first mark of a storage in S3 never replaces another one', async () => {
  const { requests, at } = await inPlaceOfS3(0, { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' })
  await openStorage(readConfig({ TESSERA_STORAGE: at('attachments') })).writeFirstMark({ id: randomUUID(), owner: 'x' })
  expect(requests.map(({ method, headers }) => [method, headers['if-none-match']])).toEqual([['PUT', '*']])
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
  const { ann, idTicket } = await ticketWithPeople(server)
  symlinkSync('/proc', path.join(server.system.config.data, 'uploads'))
  expect(await upload(server, ann, idTicket, picture)).toMatchObject({
    status: 503,
    body: { error: 'The server has too little free disk space for attachments' },
  })
})
