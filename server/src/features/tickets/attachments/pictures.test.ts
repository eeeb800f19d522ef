import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { jpeg, png } from '../../../../test/fixtures/pictures.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { upload } from '../../../../test/servers/upload.ts'

const gif = Buffer.from('GIF89a\x07\0\x05\0\0\0\0;', 'latin1')
// A lossy WebP: RIFF header, VP8 frame header with the size, nothing more.
const webp = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'latin1'),
  Buffer.from([0x30, 1, 0, 0x9d, 1, 0x2a, 20, 0, 10, 0]),
  Buffer.alloc(16),
])

test('pictures of four types are accepted by default, and their size is known before they load', async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const ann = await someone([1, 7])
  const pictures = [
    { name: 'a.jpg', content: jpeg({ width: 640, height: 480 }), type: 'image/jpeg', Width: 640, Height: 480 },
    { name: 'b.png', content: png(33, 44), type: 'image/png', Width: 33, Height: 44 },
    { name: 'c.gif', content: gif, type: 'image/gif', Width: 7, Height: 5 },
    { name: 'd.webp', content: webp, type: 'image/webp', Width: 20, Height: 10 },
  ]
  const listed = []
  const sizes = []
  for (const { name, content, type, Width, Height } of pictures) {
    const { status, body } = await upload(server, ann, idTicket, { name, content })
    expect({ status, body }, name).toEqual({ status: 200, body: { Success: 1, id: expect.any(Number), name } })
    listed.push({ id: body.id, name })
    sizes.push({ id: body.id, Width, Height })
    const shown = await server.app.inject({ url: `${attachmentDownload.path}?id=${body.id}&inline=1`, cookies: ann.cookies })
    expect(shown.rawPayload.equals(content), name).toBe(true)
    expect(shown.headers, name).toMatchObject({
      'content-type': type,
      'content-disposition': `inline; filename="${name}"; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    const saved = await server.app.inject({ url: `${attachmentDownload.path}?id=${body.id}`, cookies: ann.cookies })
    expect(saved.headers['content-disposition'], name).toMatch(/^attachment;/)
  }
  const { body } = await server.as(ann, getTicketData, { idTicket })
  expect([body.Attachments, body.Pictures]).toEqual([listed, sizes])
})

test('only bitmap pictures are sent inline: a text, a PDF or an SVG is refused', async () => {
  await using server = await startServer({ TESSERA_ATTACHMENT_TYPES: 'text/plain,application/pdf,image/png' })
  const { organization, project, someone } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const ann = await someone([1, 7])
  const note = await upload(server, ann, idTicket, { name: 'note.txt', content: Buffer.from('<b>x</b>') })
  const pdf = await upload(server, ann, idTicket, { name: 'a.pdf', content: Buffer.from('%PDF-1.7\n%%EOF') })
  const svg = await upload(server, ann, idTicket, { name: 'p.png', content: png(3, 3) })
  await server.sql`update attachment set content_type = 'image/svg+xml' where organization_id = ${organization} and id = ${svg.body.id}`
  for (const { body } of [note, pdf, svg]) {
    expect(await server.as(ann, attachmentDownload, { id: String(body.id), inline: '1' })).toMatchObject({
      status: 415,
      body: { code: 'media_type' },
    })
    expect((await server.as(ann, attachmentDownload, { id: String(body.id), inline: '0' })).status).toBe(200)
  }
  expect((await server.as(ann, attachmentDownload, { id: String(pdf.body.id), inline: 'yes' } as never)).status).toBe(400)
  // No size is known of what is no picture.
  expect((await server.as(ann, getTicketData, { idTicket })).body.Attachments).toContainEqual({ id: note.body.id, name: 'note.txt' })
})

test('a picture is sent only to those who may see its ticket', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone, foreigner } = await peopledProject(server)
  const ann = await someone([1, 7])
  const other = await makeProject(server.db, organization)
  const bob = await server.signedIn(await makeUser(server.db, organization), organization)
  await makeMember(server.db, organization, other.projectId, bob.idUser, [1, 7])
  const blind = await someone([2, 3, 6])
  const idTicket = await makeTicket(server.db, organization, project)
  const { body } = await upload(server, ann, idTicket, { name: 'a.png', content: png(3, 3) })
  const see = (caller: typeof bob | null) => server.as(caller, attachmentDownload, { id: String(body.id), inline: '1' })
  expect((await see(ann)).status).toBe(200)
  for (const caller of [bob, foreigner, blind]) expect((await see(caller)).status).toBe(404)
  expect((await see(null)).status).toBe(403)
  await server.sql`update project_member set permissions = 0 where organization_id = ${organization} and project_id = ${idProject}`
  expect((await see(ann)).status).toBe(404)
})
