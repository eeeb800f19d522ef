import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { hostileFiles } from '../../../../test/fixtures/hostile-files.ts'
import { jpeg } from '../../../../test/fixtures/pictures.ts'
import { databaseDigest } from '../../../../test/fixtures/refusals.ts'
import { download, picture, storedBytes, ticketWithPeople } from '../../../../test/fixtures/worlds/ticket-with-people.ts'
import { type Caller, cookieOf, startServer } from '../../../../test/servers/server.ts'
import { fieldPart, filePart, filesOf, formOf, upload } from '../../../../test/servers/upload.ts'
import { storeAttachment } from './store-attachment.ts'

test('a refused upload stores nothing', async () => {
  await using server = await startServer({ TESSERA_ATTACHMENT_MAX_MB: '1' })
  const { organization, project, idTicket, ann, viewer, foreigner } = await ticketWithPeople(server)
  const largest = { name: 'largest.jpg', content: Buffer.concat([jpeg(), Buffer.alloc(1024 * 1024 - jpeg().length)]) }
  expect((await upload(server, ann, idTicket, largest)).status).toBe(200)
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
    const tooLarge = { name: 'big.jpg', content: Buffer.concat([largest.content, Buffer.alloc(1)]) }
    expect(await upload(server, ann, idTicket, tooLarge, { order })).toMatchObject({ status: 413, body: { code: 'too_large' } })
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
  // Within the picture; without the picture's last byte, and all but the last byte of what ends the form.
  for (const missing of [60, 10, 3]) {
    const truncated = await server.app.inject({
      method: 'POST',
      url: attachmentUpload.path,
      cookies: ann.cookies,
      headers: { ...ann.headers, 'content-type': 'multipart/form-data; boundary=b' },
      payload: formOf([fieldPart('idTicket', String(idTicket)), filePart('a.jpg', jpeg())], 'b').subarray(0, -missing),
    })
    expect(truncated.statusCode, `without ${missing} bytes`).toBe(400)
  }
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

  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization}`
  expect(await upload(server, ann, idTicket, picture)).toMatchObject({ status: 422, body: { code: 'rule' } })
  await server.sql`update ticket set trashed_at = null, trash_root_id = null where organization_id = ${organization}`
  await nothingKept('trash')
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${project.projectId}`
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
  const rows = await server.sql<{ id: number; name: string }>`
    select id, name from attachment where organization_id = ${organization} order by id`
  expect(rows.map(row => row.name)).toEqual(keptNames)
  for (const { id } of rows) expect((await download(server, ann, id)).status).toBe(200)
})

test('other types are accepted when the settings say so, by content and extension', async () => {
  await using server = await startServer({ TESSERA_ATTACHMENT_TYPES: 'image/png, text/plain text/csv application/pdf' })
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const one = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const vast = Buffer.from(one)
  vast.writeUInt32BE(30_000, 16)
  vast.writeUInt32BE(30_000, 20)
  const cases: [string, Buffer, number][] = [
    ['a.png', one, 200],
    ['a.jpg', one, 415],
    ['vast.png', vast, 422],
    ['note.txt', Buffer.from('Zeile eins\nzwei: ä\n'), 200],
    ['table.CSV', Buffer.from('a,b\n'), 200],
    ['note.html', Buffer.from('<b>x</b>'), 415],
    ['note.txt', Buffer.from([0x61, 0, 0x62]), 415],
    ['note.txt', Buffer.from([0xc3, 0x28]), 415],
    ['a.pdf', Buffer.from('%PDF-1.7\n%%EOF'), 200],
    ['photo.jpg', jpeg(), 415],
  ]
  for (const [name, content, status] of cases) expect((await upload(server, ann, idTicket, { name, content })).status, name).toBe(status)
  const refusal = async (name: string, content: Buffer) => (await upload(server, ann, idTicket, { name, content })).body
  const types = 'must be of one of these types: image/png, text/plain, text/csv, application/pdf'
  expect(await refusal('cut.png', one.subarray(0, 20))).toMatchObject({ error: `The file is damaged or of an unknown type; it ${types}` })
  expect(await refusal('photo.jpg', jpeg())).toMatchObject({ error: `The file ${types}` })
  const rows = await server.sql`
    select name, content_type from attachment where organization_id = ${organization} and content_type like 'text/%' order by name`
  expect(rows).toEqual([
    { name: 'note.txt', content_type: 'text/plain' },
    { name: 'table.CSV', content_type: 'text/csv' },
  ])
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

test('twenty uploads at once near the quota never exceed it', async () => {
  await using server = await startServer()
  const { organization, idTicket, someone } = await ticketWithPeople(server)
  const people = await Promise.all(Array.from({ length: 10 }, () => someone([1, 7])))
  const size = picture.content.length
  await server.sql`update organization set attachment_quota = ${size * 7 + size - 1} where id = ${organization}`
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => upload(server, people[i % 10] as Caller, idTicket, picture)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), ...Array(13).fill(422)])
  expect(await storedBytes(server, organization)).toBe(size * 7)
  expect(filesOf(server.system)).toHaveLength(7)
  // A file that just fits is taken.
  await server.sql`update organization set attachment_quota = ${size * 8} where id = ${organization}`
  expect((await upload(server, people[0] as Caller, idTicket, picture)).status).toBe(200)
  expect((await upload(server, people[0] as Caller, idTicket, picture)).status).toBe(422)
})

test('a ticket takes a hundred files, also when the last ones race', async () => {
  await using server = await startServer()
  const { organization, project, idTicket, someone } = await ticketWithPeople(server)
  await server.sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organization}::bigint, ${idTicket}::bigint, 'x.jpg', 'image/jpeg', 1, '', 'none/' || i from generate_series(1, 97) i`
  const people = await Promise.all(Array.from({ length: 4 }, () => someone([1, 7])))
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => upload(server, people[i % 4] as Caller, idTicket, picture)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422])
  expect(filesOf(server.system)).toHaveLength(3)
  expect((await upload(server, people[0] as Caller, await makeTicket(server.db, organization, project), picture)).status).toBe(200)
})

test('a person uploads two files at once; more wait their turn', async () => {
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
    cookie: cookieOf(ann),
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
  // All but the end of the form.
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': String(start.length + 9) }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`POST ${attachmentUpload.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(start)
  await expect.poll(() => filesOf(server.system).length).toBe(1)
  socket.destroy()
  await expect.poll(() => filesOf(server.system).length).toBe(0)
  expect(await server.sql`select * from attachment where organization_id = ${ann.orgid}`).toEqual([])
})

test('the product can store its own texts as attachments', async () => {
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
