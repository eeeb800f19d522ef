import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { attachmentDownload, attachmentUpload } from '@tessera/contract/tickets/attachments'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/fixtures/factories.ts'
import { jpeg } from '../../../../test/fixtures/pictures.ts'
import { download, picture, storedBytes, ticketWithPeople } from '../../../../test/fixtures/worlds/ticket-with-people.ts'
import { cookieOf, startServer } from '../../../../test/servers/server.ts'
import { fieldPart, filePart, filesOf, formOf, upload } from '../../../../test/servers/upload.ts'
import { acrossOrganizations } from '../../../db/guard/across-organizations.ts'
import { cleanUpStorage, inspectStorage } from '../../../storage/clean-up.ts'
import type { Storage } from '../../../storage/storage.ts'
import { damagedFiles } from './jobs.ts'

test('a file is stored, listed in history and downloaded as it was sent, in either order of the form [3.24] [7.30] [7.31]', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann, viewer } = await ticketWithPeople(server)
  for (const order of ['ticket first', 'file first'] as const) {
    const answer = await upload(server, ann, idTicket, picture, { order })
    expect(answer).toMatchObject({ status: 200, body: { Success: 1, id: expect.any(Number), name: 'photo.jpg' } })
    const row = await server.db
      .selectFrom('attachment')
      .selectAll()
      .where('organization_id', '=', organization)
      .where('id', '=', answer.body.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ ticket_id: idTicket, content_type: 'image/jpeg', bytes: picture.content.length, created_by: ann.idUser })
    expect(row.sha256.equals(createHash('sha256').update(picture.content).digest())).toBe(true)
    expect(row.storage_key).toMatch(new RegExp(`^${organization}/[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f-]{36}$`))
    const file = path.join(server.system.config.data, 'attachments', row.storage_key)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).equals(picture.content)).toBe(true)
  }
  const rows = await server.sql<{ field: string; after: string }>`
    select field, after from change where organization_id = ${organization}`
  expect(rows).toEqual([
    { field: 'Attachment', after: 'photo.jpg' },
    { field: 'Attachment', after: 'photo.jpg' },
  ])
  expect(await storedBytes(server, organization)).toBe(2 * picture.content.length)
  const [stored] = await server.sql<{ id: number }>`select id from attachment where organization_id = ${organization}`
  const got = await server.app.inject({ url: `${attachmentDownload.path}?id=${stored?.id}`, cookies: viewer.cookies })
  expect(got.rawPayload.equals(picture.content)).toBe(true)
})

test('the download is an attachment that no browser runs, whatever its name', async () => {
  await using server = await startServer()
  const { idTicket, ann } = await ticketWithPeople(server)
  const cases = {
    'photo.jpg': `attachment; filename="photo.jpg"; filename*=UTF-8''photo.jpg`,
    '写真 é.jpg': `attachment; filename="__ e.jpg"; filename*=UTF-8''%E5%86%99%E7%9C%9F%20%C3%A9.jpg`,
    "it's (1)*.jpg": `attachment; filename="it's (1)*.jpg"; filename*=UTF-8''it%27s%20%281%29%2A.jpg`,
  }
  for (const [name, disposition] of Object.entries(cases)) {
    const { body } = await upload(server, ann, idTicket, { ...picture, name })
    const { status, headers } = await download(server, ann, body.id, { 'accept-encoding': 'gzip' })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-disposition': disposition,
      'content-type': 'image/jpeg',
      'content-length': String(picture.content.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    })
    expect(headers['content-encoding']).toBeUndefined()
  }
})

test('the download answers strangers as if the file did not exist; opened by hand, with a page', async () => {
  await using server = await startServer()
  const { organization, project, idTicket, ann, foreigner, someone } = await ticketWithPeople(server)
  const { id } = (await upload(server, ann, idTicket, picture)).body
  const outsider = await server.signedIn(await makeUser(server.db, organization), organization)
  const unpermitted = await someone([])
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  expect((await download(server, admin, id)).status).toBe(200)
  expect(await download(server, null, id)).toMatchObject({ status: 403, body: { auth: 0 } })
  const withoutRequestId = ({ body }: { body: unknown }) => ({ ...(body as object), requestId: '' })
  const absent = await download(server, ann, id + 1000)
  for (const caller of [foreigner, outsider, unpermitted]) {
    const answer = await download(server, caller, id)
    expect(answer.status).toBe(404)
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(absent))
  }
  for (const bad of ['', '0', '-1', '1.5', 'abc', '1e3', '0x1', ' 1', '99999999999999999999']) {
    expect((await download(server, ann, bad)).status, bad).toBe(400)
  }
  for (const [caller, status] of [
    [foreigner, 404],
    [null, 403],
  ] as const) {
    const page = await download(server, caller, id, { accept: 'text/html,*/*' })
    expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(page.body).toMatch(/^<!doctype html>/)
  }
  // A ticket's trash does not hide its files from those who see the ticket; the loss of Permission 1 does.
  await server.sql`update project_member set permissions = 0 where organization_id = ${organization} and project_id = ${project.projectId}`
  expect((await download(server, ann, id)).status).toBe(404)
})

test('a crash between file and row leaves a file without a row, which the clean-up removes a day later', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const good = (await upload(server, ann, idTicket, picture)).body.id
  // Commit fails after the file was published: an error of the database that says nothing about the row.
  await server.sql`${acrossOrganizations('operator')} create function crash() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return new; end $$`
  await server.sql`${acrossOrganizations('operator')} create trigger crash before insert on attachment for each row execute function crash()`
  expect((await upload(server, ann, idTicket, picture)).status).toBe(503)
  await server.sql`${acrossOrganizations('operator')} drop trigger crash on attachment`
  const files = filesOf(server.system)
  expect(files).toHaveLength(2)
  expect(await server.sql`select id from attachment where organization_id = ${organization}`).toEqual([{ id: good }])

  const { system } = server
  expect(await cleanUpStorage(server.db, system.storage, { all: true })).toMatchObject({ moved: 0, missing: 0, files: 2 })
  const dayAgo = Date.now() / 1000 - 25 * 3600
  for (const file of files) utimesSync(file, dayAgo, dayAgo)
  expect((await inspectStorage(server.db, system.storage)).orphans).toBe(1)
  expect(filesOf(system)).toHaveLength(2)
  expect(await cleanUpStorage(server.db, system.storage, { all: true })).toMatchObject({ moved: 1, bin: 1 })
  expect(filesOf(system).filter(file => !file.includes('/bin/'))).toHaveLength(1)
  expect((await download(server, ann, good)).status).toBe(200)

  // A row whose file is lost is named, never removed.
  const [{ storage_key } = { storage_key: '' }] = await server.sql<{ storage_key: string }>`
    select storage_key from attachment where organization_id = ${organization}`
  await system.storage.remove(storage_key)
  expect((await cleanUpStorage(server.db, system.storage)).lost).toEqual([
    { organizationId: organization, id: good, name: 'photo.jpg', storageKey: storage_key },
  ])
  expect((await download(server, ann, good)).status).toBe(404)
})

test('the nightly scrub finds a file that changed on the disk', async () => {
  await using server = await startServer()
  const { idTicket, ann } = await ticketWithPeople(server)
  await upload(server, ann, idTicket, picture)
  await upload(server, ann, idTicket, picture)
  expect(await damagedFiles(server.db, server.system.storage, 100)).toEqual([])
  const [file = ''] = filesOf(server.system)
  const bytes = readFileSync(file)
  bytes[40] = (bytes[40] as number) ^ 1
  writeFileSync(file, bytes)
  expect(await damagedFiles(server.db, server.system.storage, 100)).toEqual([expect.stringContaining(path.basename(file))])
})

test('the nightly scrub does not report a file whose ticket is purged meanwhile', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  await upload(server, ann, idTicket, picture)
  const { storage } = server.system
  const purged: Storage = Object.create(storage, {
    read: {
      value: async (key: string) => {
        await server.sql`delete from attachment where organization_id = ${organization}`
        await storage.remove(key)
        return storage.read(key)
      },
    },
  })
  expect(await damagedFiles(server.db, purged, 100)).toEqual([])
})

test('a file that the virus scanner refuses, or does not answer for, is not stored', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tessera-test-clamd-'))
  const clamdSocket = path.join(folder, 'clamd.sock')
  // Speaks clamd's INSTREAM: chunks with a length of four bytes, an empty one ends.
  const scanner = createServer(connection => {
    let all = Buffer.alloc(0)
    connection.on('data', data => {
      all = Buffer.concat([all, data])
      if (!all.subarray(-4).equals(Buffer.alloc(4))) return
      connection.end(all.includes('EICAR-STANDARD') ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
    })
  })
  await new Promise<void>(resolve => scanner.listen(clamdSocket, resolve))
  await using server = await startServer({ CLAMD_SOCKET: clamdSocket })
  const { idTicket, ann } = await ticketWithPeople(server)
  const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*')
  expect((await upload(server, ann, idTicket, picture)).status).toBe(200)
  const infected = await upload(server, ann, idTicket, { ...picture, content: Buffer.concat([picture.content, eicar]) })
  expect(infected).toMatchObject({ status: 422, body: { code: 'rule', error: expect.stringContaining('Eicar-Test-Signature') } })
  await new Promise(resolve => scanner.close(resolve))
  expect((await upload(server, ann, idTicket, picture)).status).toBe(503)
  expect(filesOf(server.system)).toHaveLength(1)
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(process.env.TORTURE_ROUNDS)(
  'a slow upload takes longer than any other request may, one below 10 kB/s is cut off',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer()
    const { idTicket, ann } = await ticketWithPeople(server)
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as { port: number }
    const content = Buffer.concat([jpeg(), Buffer.alloc(500_000)])
    const form = formOf([fieldPart('idTicket', String(idTicket)), filePart('a.jpg', content)], 'b')
    const headers = {
      ...ann.headers,
      cookie: cookieOf(ann),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(form.length),
    }
    /** Sends so many bytes each second; the status, or 0 when the connection was cut, and after how many seconds. */
    const drip = (bytesPerSecond: number) =>
      new Promise<[number, number]>(resolve => {
        const began = performance.now()
        let sent = 0
        const end = (status: number) => {
          clearInterval(timer)
          resolve([status, (performance.now() - began) / 1000])
        }
        const outgoing = request({ port, method: 'POST', path: attachmentUpload.path, headers, agent: false }, answer => {
          answer.resume()
          end(answer.statusCode as number)
        })
        outgoing.on('error', () => end(0))
        const timer = setInterval(() => {
          outgoing.write(form.subarray(sent, sent + bytesPerSecond))
          sent += bytesPerSecond
          if (sent >= form.length) {
            clearInterval(timer)
            outgoing.end()
          }
        }, 1000)
      })
    const [slow, tooSlow] = await Promise.all([drip(20_000), drip(5_000)])
    console.log(`20 kB/s: ${slow[0]} after ${slow[1].toFixed(1)} s; 5 kB/s: cut off after ${tooSlow[1].toFixed(1)} s`)
    expect(slow[0]).toBe(200)
    expect(slow[1]).toBeGreaterThan(20)
    expect(tooSlow[0]).toBe(0)
    expect(tooSlow[1]).toBeLessThan(45)
    await expect.poll(() => filesOf(server.system).length).toBe(1)
  },
)
