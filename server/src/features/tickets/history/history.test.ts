import { setTicketComment } from '@tessera/contract/tickets/comments'
import { createNewTicket, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { jpeg } from '../../../../test/fixtures/pictures.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { upload } from '../../../../test/servers/upload.ts'

const server = await serverOfFile()

async function setUp() {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const id = await makeUser(server.db, organization, { fullName: 'Ann Lee' })
  await makeMember(server.db, organization, project.projectId, id, 'all')
  const ann = await server.signedIn(id, organization)
  const idTemplate = project.templates.bug
  const create = async () =>
    (await server.as(ann, createNewTicket, { idProject: project.projectId, idTemplate, Title: 'First' })).body[0] as number
  return { organization, project, ann, idTicket: await create() }
}

test('history has names instead of ids, newest first, and says what can be restored', async () => {
  const { organization, project, ann, idTicket } = await setUp()
  const save = async (input: object) => expect((await server.as(ann, setTicketData, { idTicket, ...input })).status).toBe(200)
  await save({ Title: 'Second', data: { note: 'long\ntext', size: 's' } })
  await save({ State: project.states.doing, data: { size: 'l' } })
  await save({ TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.reviewer, Enabled: 1 }] })
  await save({ TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.reviewer, Enabled: 0 }], data: { note: '' } })
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'x'.repeat(5000) })).body
  await server.as(ann, setTicketComment, { idTicket, idComment, Comment: 'short' })
  await upload(server, ann, idTicket, { name: 'photo.jpg', content: jpeg() })

  const { Changes, NextCursor } = (await server.as(ann, getTicketHistory, { idTicket })).body
  expect(NextCursor).toBeNull()
  const cut = `${'x'.repeat(2000)}…`
  expect(Changes.map(({ Field, Label, Before, After, Restorable }) => [Field, Label, Before, After, Restorable])).toEqual([
    ['Attachment', 'Attachments', null, 'photo.jpg', null],
    ['Comment', 'Comment', cut, 'short', null],
    ['Comment', 'Comment', null, cut, null],
    ['data.note', 'Note', 'long\ntext', null, 'long\ntext'],
    ['Assignee', 'Assignees', 'Ann Lee (Reviewer)', null, null],
    ['Assignee', 'Assignees', null, 'Ann Lee (Reviewer)', null],
    ['State', 'State', 'Open', 'Doing', String(project.states.open)],
    ['data.size', 'Size', 'Small', 'Large', 's'],
    ['Title', 'Description', 'First', 'Second', 'First'],
    ['data.size', 'Size', null, 'Small', ''],
    ['data.note', 'Note', null, 'long\ntext', ''],
    ['Ticket', 'Created', null, 'First', null],
  ])
  expect(new Set(Changes.map(({ Author }) => Author))).toEqual(new Set(['Ann Lee']))
  // Parts of one save share their set.
  expect(Changes[6]?.idChangeSet).toBe(Changes[7]?.idChangeSet)
  expect(Changes[5]?.idChangeSet).not.toBe(Changes[6]?.idChangeSet)
  // What RESTORE THIS VALUE sends is taken by the normal save.
  for (const { Field, Restorable } of Changes.filter(change => change.Restorable !== null)) {
    if (Field === 'State') await save({ State: Number(Restorable) })
    else if (Field === 'Title') await save({ Title: Restorable })
    else await save({ data: { [Field.slice(5)]: Restorable } })
  }

  await server.sql`update field set archived_at = now() where organization_id = ${organization} and key = 'size'`
  const archived = (await server.as(ann, getTicketHistory, { idTicket })).body.Changes.filter(({ Field }) => Field === 'data.size')
  expect(archived.every(({ Restorable, Label }) => Restorable === null && Label === 'Size')).toBe(true)
})

test('history comes by page, and long texts make the page shorter', async () => {
  const { ann, idTicket } = await setUp()
  for (let i = 0; i < 6; i++) await server.as(ann, setTicketData, { idTicket, data: { note: String(i).repeat(250_000) } })
  const seen: number[] = []
  let Cursor: number | undefined
  let pages = 0
  do {
    const { body } = await server.as(ann, getTicketHistory, { idTicket, Limit: 5, ...(Cursor === undefined ? {} : { Cursor }) })
    expect(body.Changes.length).toBeGreaterThan(0)
    seen.push(...body.Changes.map(({ id }) => id))
    Cursor = body.NextCursor ?? undefined
    pages++
  } while (Cursor !== undefined)
  expect(seen).toHaveLength(7)
  expect(seen).toEqual([...seen].sort((a, b) => b - a))
  expect(pages).toBe(2)
  const { body } = await server.as(ann, getTicketHistory, { idTicket, Limit: 500 })
  expect(body.Changes.length).toBeLessThan(7)
})

test('history is for those who see the ticket', async () => {
  const { organization, project, ann, idTicket } = await setUp()
  const other = await makeTicket(server.db, organization, project)
  expect((await server.as(ann, getTicketHistory, { idTicket: other })).body).toEqual({ Changes: [], NextCursor: null })
  const elsewhere = await makeOrganization(server.db)
  await expectRefusals(server, getTicketHistory, {
    input: { idTicket },
    caller: ann,
    foreigner: await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere),
    bad: [
      [{ idTicket, Limit: 501 }, 'Limit'],
      [{ idTicket, Cursor: 0 }, 'Cursor'],
      [{ idTicket: 1.5 }, 'idTicket'],
    ],
  })
})
