import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect as connectSocket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { attachmentDownload, attachmentUpload } from '@tessera/contract/attachments'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { hostileFiles, jpeg } from '../../../../test/fixtures/hostile-files.ts'
import { peopledProject } from '../../../../test/fixtures/peopled-project.ts'
import { databaseDigest } from '../../../../test/fixtures/refusals.ts'
import { type Caller, startServer, type TestServer } from '../../../../test/servers/server.ts'
import { fieldPart, filePart, filesOf, formOf, upload } from '../../../../test/servers/upload.ts'
import { acrossOrganizations } from '../../../db/guard/across-organizations.ts'
import { cleanUpStorage, inspectStorage } from '../../../storage/clean-up.ts'
import { damagedFiles } from './jobs.ts'
import { storeAttachment } from './queries.ts'

async function ticketWithPeople(server: TestServer) {
  const made = await peopledProject(server)
  const { organization, project, someone } = made
  const idTicket = await makeTicket(server.db, organization, project)
  return { ...made, idTicket, ann: await someone([1, 7]), viewer: await someone([1]) }
}

const picture = { name: 'photo.jpg', content: jpeg() }
const download = (server: TestServer, caller: Caller | null, id: unknown, headers = {}) =>
  server.as(caller, attachmentDownload, { id: String(id) }, headers)

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
  const { rows } = await sql<{
    field: string
    after: string
  }>`select field, after from change where organization_id = ${organization}`.execute(server.db)
  expect(rows).toEqual([
    { field: 'Attachment', after: 'photo.jpg' },
    { field: 'Attachment', after: 'photo.jpg' },
  ])
  const { attachment_bytes } = await server.db
    .selectFrom('organization')
    .select('attachment_bytes')
    .where('id', '=', organization)
    .executeTakeFirstOrThrow()
  expect(attachment_bytes).toBe(2 * picture.content.length)
  const [id] = (await server.db.selectFrom('attachment').select('id').where('organization_id', '=', organization).execute()).map(
    row => row.id,
  )
  const got = await server.app.inject({ url: `${attachmentDownload.path}?id=${id}`, cookies: viewer.cookies })
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

test('the download refuses strangers with the same answer as for nothing, to people as a page', async () => {
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
  await sql`update project_member set permissions = 0 where organization_id = ${organization} and project_id = ${project.projectId}`.execute(
    server.db,
  )
  expect((await download(server, ann, id)).status).toBe(404)
})

test('refusals of the upload keep nothing', async () => {
  await using server = await startServer({ TESSERA_ATTACHMENT_MAX_MB: '1' })
  const { organization, project, idTicket, ann, viewer, foreigner } = await ticketWithPeople(server)
  await upload(server, ann, idTicket, picture)
  const kept = filesOf(server.system)
  const before = await databaseDigest(server.db)
  const nothingKept = async (what: string) => {
    expect(filesOf(server.system), what).toEqual(kept)
    expect(await databaseDigest(server.db), what).toBe(before)
  }
  for (const order of ['ticket first', 'file first'] as const) {
    expect(await upload(server, null, idTicket, picture, { order })).toMatchObject({ status: 403, body: { auth: 0 } })
    expect(await upload(server, foreigner, idTicket, picture, { order })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await upload(server, ann, idTicket + 999, picture, { order })).toMatchObject({ status: 404 })
    expect(await upload(server, viewer, idTicket, picture, { order })).toMatchObject({
      status: 422,
      body: { code: 'not_permitted', needs: 'Add attachments' },
    })
    for (const id of ['0', '-1', '1.0', 'x', '', '9007199254740993', ' 1']) {
      expect(await upload(server, ann, id, picture, { order }), id).toMatchObject({ status: 400, body: { fields: [{ path: 'idTicket' }] } })
    }
    expect(
      await upload(server, ann, idTicket, { name: 'big.jpg', content: Buffer.concat([jpeg(), Buffer.alloc(1024 * 1024)]) }, { order }),
    ).toMatchObject({ status: 413, body: { code: 'too_large' } })
    await nothingKept(order)
  }
  const forms: [string, Buffer[], number][] = [
    ['two files', [fieldPart('idTicket', String(idTicket)), filePart('a.jpg', jpeg()), filePart('b.jpg', jpeg())], 400],
    ['two tickets', [fieldPart('idTicket', String(idTicket)), fieldPart('idTicket', '1'), filePart('a.jpg', jpeg())], 400],
    ['another field', [fieldPart('idTicket', String(idTicket)), fieldPart('idProject', '1'), filePart('a.jpg', jpeg())], 400],
    ['a field of the prototype', [fieldPart('__proto__', 'x'), fieldPart('idTicket', String(idTicket)), filePart('a.jpg', jpeg())], 400],
    ['a file of another name', [fieldPart('idTicket', String(idTicket)), filePart('a.jpg', jpeg(), 'image')], 400],
    ['no file', [fieldPart('idTicket', String(idTicket))], 400],
    ['no ticket', [filePart('a.jpg', jpeg())], 400],
    ['nothing', [], 400],
  ]
  for (const [label, parts, status] of forms) {
    expect(await upload(server, ann, idTicket, picture, { parts }), label).toMatchObject({ status, body: { code: 'invalid' } })
    await nothingKept(label)
  }
  const truncated = await server.app.inject({
    method: 'POST',
    url: attachmentUpload.path,
    cookies: ann.cookies,
    headers: { ...ann.headers, 'content-type': 'multipart/form-data; boundary=b' },
    payload: formOf([fieldPart('idTicket', String(idTicket)), filePart('a.jpg', jpeg())], 'b').subarray(0, -60),
  })
  expect(truncated.statusCode).toBe(400)
  expect(await upload(server, ann, idTicket, picture, { headers: { 'x-xsrf-token': 'x.y' } })).toMatchObject({
    status: 400,
    body: { code: 'csrf' },
  })
  expect(await upload(server, ann, idTicket, picture, { headers: { 'content-type': 'application/json' } })).toMatchObject({ status: 415 })
  expect(await upload(server, ann, idTicket, picture, { headers: { 'content-type': 'multipart/form-data' } })).toMatchObject({
    status: 415,
  })
  expect(await upload(server, ann, idTicket, picture, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ status: 415 })
  expect(await upload(server, ann, idTicket, picture, { headers: { 'idempotency-key': 'x' } })).toMatchObject({ status: 400 })
  await nothingKept('headers')

  await sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization}`.execute(server.db)
  expect(await upload(server, ann, idTicket, picture)).toMatchObject({ status: 422, body: { code: 'rule' } })
  await sql`update ticket set trashed_at = null, trash_root_id = null where organization_id = ${organization}`.execute(server.db)
  await nothingKept('trash')
  await sql`update project set archived_at = now() where organization_id = ${organization} and id = ${project.projectId}`.execute(server.db)
  expect(await upload(server, ann, idTicket, picture)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(filesOf(server.system)).toEqual(kept)
})

test(`${hostileFiles.length} hostile files: each is kept or refused as it must, and what is refused leaves nothing`, {
  timeout: 120_000,
}, async () => {
  await using server = await startServer()
  const { organization, project, idTicket, ann } = await ticketWithPeople(server)
  expect(hostileFiles.length).toBeGreaterThanOrEqual(120)
  const wrong: unknown[] = []
  const keptNames: string[] = []
  let at = idTicket
  for (const { label, name, content, expected } of hostileFiles) {
    if (keptNames.length % 90 === 89) at = await makeTicket(server.db, organization, project)
    const { status, body } = await upload(server, ann, at, { name, content })
    const isRight = 'kept' in expected ? status === 200 && body.name === expected.kept : status === expected.status
    if (!isRight) wrong.push({ label, status, body, expected })
    if ('kept' in expected) keptNames.push(expected.kept)
  }
  expect(wrong).toEqual([])
  expect(filesOf(server.system)).toHaveLength(keptNames.length)
  const rows = await server.db
    .selectFrom('attachment')
    .select(['id', 'name'])
    .where('organization_id', '=', organization)
    .orderBy('id')
    .execute()
  expect(rows.map(row => row.name)).toEqual(keptNames)
  for (const { id } of rows) expect((await download(server, ann, id)).status).toBe(200)
})

test('other types are accepted when the settings say so, by content and extension', async () => {
  await using server = await startServer({ TESSERA_ATTACHMENT_TYPES: 'image/png, text/plain application/pdf' })
  const { idTicket, ann } = await ticketWithPeople(server)
  const one = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const vast = Buffer.from(one)
  vast.writeUInt32BE(30_000, 16)
  vast.writeUInt32BE(30_000, 20)
  const cases: [string, Buffer, number][] = [
    ['a.png', one, 200],
    ['a.jpg', one, 415],
    ['vast.png', vast, 422],
    ['note.txt', Buffer.from('Zeile eins\nzwei: ä\n'), 200],
    ['note.html', Buffer.from('<b>x</b>'), 415],
    ['note.txt', Buffer.from([0x61, 0, 0x62]), 415],
    ['note.txt', Buffer.from([0xc3, 0x28]), 415],
    ['a.pdf', Buffer.from('%PDF-1.7\n%%EOF'), 200],
    ['photo.jpg', jpeg(), 415],
  ]
  for (const [name, content, status] of cases) expect((await upload(server, ann, idTicket, { name, content })).status, name).toBe(status)
})

test('an Idempotency-Key stores a file once, and the second one is not kept', async () => {
  await using server = await startServer()
  const { idTicket, ann } = await ticketWithPeople(server)
  const headers = { 'idempotency-key': randomUUID() }
  const first = await upload(server, ann, idTicket, picture, { headers })
  const [second, third] = await Promise.all([
    upload(server, ann, idTicket, picture, { headers }),
    upload(server, ann, idTicket, picture, { headers }),
  ])
  expect([second.body, third.body]).toEqual([first.body, first.body])
  expect(filesOf(server.system)).toHaveLength(1)
  expect((await upload(server, ann, idTicket, { name: 'other.jpg', content: jpeg() }, { headers })).status).toBe(422)
  expect(filesOf(server.system)).toHaveLength(1)
})

test('twenty uploads at the edge of the quota: as many as fit, and not one byte more', async () => {
  await using server = await startServer()
  const { organization, idTicket, someone } = await ticketWithPeople(server)
  const people = await Promise.all(Array.from({ length: 10 }, () => someone([1, 7])))
  const size = picture.content.length
  await server.db
    .updateTable('organization')
    .set({ attachment_quota: size * 7 + size - 1 })
    .where('id', '=', organization)
    .execute()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(server, people[i % 10] as Caller, idTicket, picture)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), ...Array(13).fill(422)])
  const { attachment_bytes } = await server.db
    .selectFrom('organization')
    .select('attachment_bytes')
    .where('id', '=', organization)
    .executeTakeFirstOrThrow()
  expect(attachment_bytes).toBe(size * 7)
  expect(filesOf(server.system)).toHaveLength(7)
})

test('a ticket takes a hundred files, also when the last ones race', async () => {
  await using server = await startServer()
  const { organization, project, idTicket, someone } = await ticketWithPeople(server)
  await sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organization}::bigint, ${idTicket}::bigint, 'x.jpg', 'image/jpeg', 1, '', 'none/' || i from generate_series(1, 97) i`.execute(
    server.db,
  )
  const people = await Promise.all(Array.from({ length: 4 }, () => someone([1, 7])))
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => upload(server, people[i % 4] as Caller, idTicket, picture)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422])
  expect(filesOf(server.system)).toHaveLength(3)
  expect((await upload(server, people[0] as Caller, await makeTicket(server.db, organization, project), picture)).status).toBe(200)
})

test('one person sends two files at once; more wait their turn', async () => {
  await using server = await startServer()
  const { idTicket, ann } = await ticketWithPeople(server)
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(server, ann, idTicket, picture)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const crowd = await Promise.all(Array.from({ length: 40 }, () => upload(server, ann, idTicket, picture)))
  expect(crowd.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect(crowd.every(({ status, headers }) => status === 200 || (status === 429 && headers['retry-after'] === '5'))).toBe(true)
})

test('over the network: too large is refused early and while it streams, and a broken connection leaves nothing', async () => {
  await using server = await startServer({ TESSERA_ATTACHMENT_MAX_MB: '1' })
  const { idTicket, ann } = await ticketWithPeople(server)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const headers = {
    ...ann.headers,
    cookie: Object.entries(ann.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
    'content-type': 'multipart/form-data; boundary=b',
  }
  const start = formOf([fieldPart('idTicket', String(idTicket)), filePart('a.jpg', jpeg())], 'b').subarray(0, -9)
  const send = (more: Record<string, string>, body: (outgoing: ReturnType<typeof request>) => void) =>
    new Promise<number>((resolve, reject) => {
      const outgoing = request({ port, method: 'POST', path: attachmentUpload.path, headers: { ...headers, ...more } }, answer => {
        answer.resume()
        resolve(answer.statusCode as number)
        outgoing.destroy()
      })
      outgoing.on('error', reject)
      body(outgoing)
    })
  // 1,000 MB announced: refused before they are sent.
  expect(await send({ 'content-length': String(1000 * 1024 * 1024) }, outgoing => outgoing.write(start))).toBe(413)
  // An endless body without a length: refused as soon as it is too large.
  const chunk = Buffer.alloc(64 * 1024)
  expect(
    await send({}, outgoing => {
      outgoing.write(start)
      const pour = () => {
        while (!outgoing.destroyed) if (!outgoing.write(chunk)) return void outgoing.once('drain', pour)
      }
      pour()
    }),
  ).toBe(413)
  // Nobody reads a body without a session.
  expect(await send({ cookie: `sid=1.${'x'.repeat(43)}`, 'content-length': '500000' }, outgoing => outgoing.write(start))).toBe(403)

  const socket = connectSocket(port, '127.0.0.1')
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': '900000' }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${attachmentUpload.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(start)
  await expect.poll(() => filesOf(server.system).length).toBe(1)
  socket.destroy()
  await expect.poll(() => filesOf(server.system).length).toBe(0)
  expect(await server.db.selectFrom('attachment').selectAll().where('organization_id', '=', ann.orgid).execute()).toEqual([])
})

test('a crash between file and row: the file is there without a row, and the clean-up takes it a day later', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const good = (await upload(server, ann, idTicket, picture)).body.id
  // Commit fails after the file was published: an error of the database that says nothing about the row.
  await sql`${acrossOrganizations('operator')} create function crash() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return new; end $$`.execute(server.db)
  await sql`${acrossOrganizations('operator')} create trigger crash before insert on attachment for each row execute function crash()`.execute(
    server.db,
  )
  expect((await upload(server, ann, idTicket, picture)).status).toBe(503)
  await sql`${acrossOrganizations('operator')} drop trigger crash on attachment`.execute(server.db)
  const files = filesOf(server.system)
  expect(files).toHaveLength(2)
  expect(await server.db.selectFrom('attachment').select('id').where('organization_id', '=', organization).execute()).toEqual([
    { id: good },
  ])

  const { system } = server
  expect(await cleanUpStorage(server.db, system.storage, { all: true })).toMatchObject({ moved: 0, missing: 0, files: 2 })
  const dayAgo = Date.now() / 1000 - 25 * 3600
  for (const file of files) utimesSync(file, dayAgo, dayAgo)
  expect((await inspectStorage(server.db, system.storage)).orphans).toHaveLength(1)
  expect(filesOf(system)).toHaveLength(2)
  expect(await cleanUpStorage(server.db, system.storage, { all: true })).toMatchObject({ moved: 1, bin: 1 })
  expect(filesOf(system).filter(file => !file.includes('/bin/'))).toHaveLength(1)
  expect((await download(server, ann, good)).status).toBe(200)

  // A row whose file is lost is named, never removed.
  const { storage_key } = await server.db
    .selectFrom('attachment')
    .select('storage_key')
    .where('organization_id', '=', organization)
    .executeTakeFirstOrThrow()
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

test('with a virus scanner, what it finds is refused, and without its answer nothing is kept', async () => {
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

test('the product stores texts of its own as attachments', async () => {
  await using server = await startServer()
  const { organization, project, idTicket, ann } = await ticketWithPeople(server)
  const place = { organizationId: organization, projectId: project.projectId, ticketId: idTicket, userId: ann.idUser }
  const id = await server.db
    .transaction()
    .execute(db =>
      storeAttachment(db, server.system.storage, { ...place, name: '../description.txt', contentType: 'text/plain', content: 'Grüße' }),
    )
  const { headers, body } = await download(server, ann, id)
  expect(body).toBe('Grüße')
  expect(headers).toMatchObject({ 'content-type': 'text/plain', 'content-disposition': expect.stringContaining('description.txt') })
})

test.runIf(process.env.TORTURE)(
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
      cookie: Object.entries(ann.cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
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
