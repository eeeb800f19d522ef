import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, filled } from '../../test/fixtures/backed-up.ts'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { tessera } from '../../test/servers/command.ts'
import { startServer } from '../../test/servers/server.ts'
import { writeBackup } from '../backup/write-backup.ts'

test('a storage that stops answering during a restore is named, not what could not be removed from it', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const file = path.join(folder, 'b.tar.gz')
  await writeBackup(context.connection, context.storage, file)
  // An empty bucket, until something is stored in it.
  let isGone = false
  const s3 = createServer((request, response) => {
    request.resume()
    isGone ||= request.method === 'PUT'
    const isList = request.url?.includes('list-type')
    response.setHeader('content-type', 'application/xml')
    if (isGone) response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>wait</Message></Error>')
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
    output: expect.stringMatching(/^The attachments cannot be stored .*\n$/),
  })
})
