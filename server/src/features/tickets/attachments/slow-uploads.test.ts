import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { jpeg } from '../../../../test/fixtures/pictures.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { type Caller, cookieOf, startServer, type TestServer } from '../../../../test/servers/server.ts'
import { filesOf } from '../../../../test/servers/upload.ts'

/** Speaks clamd's INSTREAM and finds nothing, after `seconds`. */
async function slowScanner(seconds: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tessera-test-clamd-'))
  const socket = path.join(folder, 'clamd.sock')
  const scanner = createServer(connection => {
    let end = Buffer.alloc(0)
    connection.on('data', async data => {
      end = Buffer.concat([end, data]).subarray(-4)
      if (!end.equals(Buffer.alloc(4))) return
      await sleep(seconds * 1000)
      connection.end('stream: OK\0')
    })
  })
  await new Promise<void>(resolve => scanner.listen(socket, resolve))
  onTestFinished(() => {
    scanner.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return socket
}

async function listening(server: TestServer) {
  const { organization, project, someone } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const ann = await someone([1, 7])
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const send = (name: string, key: string) => post(`http://127.0.0.1:${port}${attachmentUpload.path}`, ann, idTicket, name, key)
  const rows = () => server.db.selectFrom('attachment').select('name').where('organization_id', '=', organization).execute()
  return { send, rows }
}

/** The status, or 0 when the connection broke. */
async function post(url: string, caller: Caller, idTicket: number, name: string, key: string) {
  const form = new FormData()
  form.append('idTicket', String(idTicket))
  form.append('file', new File([new Uint8Array(jpeg())], name, { type: 'image/jpeg' }))
  const headers = { ...caller.headers, cookie: cookieOf(caller), 'idempotency-key': key }
  return fetch(url, { method: 'POST', headers, body: form }).then(
    answer => answer.status,
    () => 0,
  )
}

test('an upload is answered although the scanner takes longer than the silence limit', { tags: ['long'] }, async () => {
  await using server = await startServer({ CLAMD_SOCKET: await slowScanner(3), TESSERA_SILENCE_SECONDS: '1' })
  const { send, rows } = await listening(server)
  expect(await send('photo.jpg', randomUUID())).toBe(200)
  expect(await rows()).toEqual([{ name: 'photo.jpg' }])
})

test.each(['session', 'ticket'])(
  'an upload is answered although the database reads the table %s longer than the silence limit',
  async table => {
    await using server = await startServer({ TESSERA_SILENCE_SECONDS: '1' })
    const { send, rows } = await listening(server)
    const { answer } = await server.db.transaction().execute(async holder => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(holder)
      const answer = send('photo.jpg', randomUUID())
      await expect.poll(() => lockWaits(server.db)).toBe(1)
      await sleep(1500)
      return { answer }
    })
    expect(await answer).toBe(200)
    expect(await rows()).toEqual([{ name: 'photo.jpg' }])
  },
)

test('four uploads at once wait longer than the silence limit, and all arrive', { tags: ['long'] }, async () => {
  await using server = await startServer({ CLAMD_SOCKET: await slowScanner(2), TESSERA_SILENCE_SECONDS: '1' })
  const { send, rows } = await listening(server)
  const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']
  expect(await Promise.all(names.map(name => send(name, randomUUID())))).toEqual([200, 200, 200, 200])
  expect((await rows()).map(({ name }) => name).sort()).toEqual(names)
})

test('a retry with the same key while the first upload is being scanned stores the file once', { tags: ['long'] }, async () => {
  await using server = await startServer({ CLAMD_SOCKET: await slowScanner(1) })
  const { send, rows } = await listening(server)
  const key = randomUUID()
  const first = send('photo.jpg', key)
  await sleep(300)
  expect(await Promise.all([first, send('photo.jpg', key)])).toEqual([200, 200])
  expect(await rows()).toHaveLength(1)
  expect(filesOf(server.system)).toHaveLength(1)
})
