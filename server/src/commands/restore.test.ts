import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, filled } from '../../test/fixtures/backed-up.ts'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { tessera } from '../../test/servers/command.ts'
import { startServer } from '../../test/servers/server.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { belongingOf } from '../storage/belonging.ts'
import { inspectStorage } from '../storage/clean-up.ts'
import { openStorage } from '../storage/open-storage.ts'

test('a storage that stops answering during a restore is named, not what could not be removed from it', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const file = path.join(folder, 'b.tar.gz')
  await writeBackup(context.connection, context.storage, file)
  // An empty bucket, until a file is stored in it.
  let isGone = false
  let mark = ''
  const s3 = createServer(async (request, response) => {
    const isMark = request.url?.includes('/storage-id')
    const sent = await text(request)
    if (isMark && request.method === 'PUT') mark = sent
    else isGone ||= request.method === 'PUT'
    const isList = request.url?.includes('list-type')
    response.setHeader('content-type', 'application/xml')
    if (isGone) response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>wait</Message></Error>')
    else if (isMark && mark !== '') response.end(request.method === 'GET' ? mark : '')
    else if (isList) response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>')
    else if (request.method === 'DELETE') response.writeHead(204).end()
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
  })
  await new Promise<void>(resolve => s3.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void s3.close())
  const { url } = await emptyDatabase()
  const settings = {
    DATABASE_URL: url,
    TESSERA_DATA: path.join(folder, 'data'),
    TESSERA_STORAGE: `s3://KEY:SECRET@127.0.0.1:${(s3.address() as AddressInfo).port}/attachments?tls=0`,
  }
  expect(await tessera(settings, 'restore', file)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The attachments cannot be stored .* Attachments that were restored stay in the storage: .*\n$/),
  })
})

test('a restore that fails removes nothing, and goes on in its storage, which no other database takes meanwhile', async () => {
  await using server = await startServer()
  const { context, keys } = await filled(server)
  const folder = temporaryDirectory()
  const [whole, part, other] = ['b.tar.gz', 'part.tar.gz', 'other.tar.gz'].map(name => path.join(folder, name)) as [string, string, string]
  await writeBackup(context.connection, context.storage, whole)
  writeFileSync(part, readFileSync(whole).subarray(0, -30))
  writeFileSync(other, 'a letter')
  const TESSERA_STORAGE = `file://${path.join(folder, 'attachments')}`
  const { db, url } = await emptyDatabase()
  const settings = { DATABASE_URL: url, TESSERA_DATA: path.join(folder, 'data'), TESSERA_STORAGE }
  const storage = openStorage({ ...server.system.config, storage: TESSERA_STORAGE })

  expect(await tessera(settings, 'restore', other)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^[^\n]* not a backup [^\n]*\.\n$/),
  })
  expect(await storage.readMark()).toBeNull()
  expect(await tessera(settings, 'restore', part)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^[^\n]*part.tar.gz is damaged [^\n]* Attachments that were restored stay in the storage: [^\n]*\n$/),
  })
  for await (const { key } of storage.list()) expect(keys).toContain(key)
  expect(await storage.holdsAnything()).toBe(true)

  // Neither a server nor a restore into another database takes what is there.
  await using another = await startServer({ TESSERA_STORAGE })
  expect(await belongingOf(another.db, another.system.storage)).toMatchObject({ state: 'foreign' })
  const elsewhere = { ...settings, DATABASE_URL: (await emptyDatabase()).url }
  expect(await tessera(elsewhere, 'restore', whole)).toMatchObject({
    code: 1,
    output: 'The storage of attachments is not empty: set TESSERA_STORAGE or TESSERA_DATA to an empty one.\n',
  })
  expect(await tessera(settings, 'restore', whole)).toMatchObject({ code: 0 })
  expect(await inspectStorage(db, storage)).toEqual({ files: 2, orphans: 0, missing: 0, lost: [] })
  expect((await belongingOf(db, storage)).state).toBe('own')
})
