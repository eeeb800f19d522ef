import { limits } from '@tessera/contract/limits'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { getTicketTrash, purgeTicket, restoreTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, getTicketData, getTicketHistory, getTicketList } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { jpeg } from '../../../../test/fixtures/pictures.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { storedBytes } from '../../../../test/fixtures/worlds/ticket-with-people.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { filesOf, upload } from '../../../../test/servers/upload.ts'
import { onRun } from '../../../db/db.ts'
import { quiet } from '../../../lib/background/job-queue.ts'
import { removeFiles } from '../attachments/jobs.ts'
import { onTree } from './queries.ts'

const server = await serverOfFile()

async function treeOfTickets() {
  const made = await peopledProject(server, { shortCode: 'ACME' })
  const { organization, project, someone } = made
  const ticket = (parentId?: number, title?: string) =>
    makeTicket(server.db, organization, project, {
      ...(parentId === undefined ? {} : { parentId }),
      ...(title === undefined ? {} : { title }),
    })
  const root = await ticket(undefined, 'Root')
  const child = await ticket(root, 'Child')
  const leaf = await ticket(child, 'Leaf')
  const other = await ticket(root, 'Other')
  return {
    ...made,
    root,
    child,
    leaf,
    other,
    ticket,
    ann: await someone([1, 2, 6, 7, 12], { fullName: 'Ann Lee' }),
    viewer: await someone([1]),
    right: async () => expect(await recount(server.db, organization)).toEqual(everyCounterRight),
  }
}

test('a subtree goes to the trash and is restored as a whole, with its counters', async () => {
  const { project, root, child, leaf, other, ann, right } = await treeOfTickets()
  const { projectId: idProject } = project
  const lists = async () => [
    (await server.as(ann, getTicketList, { idProject })).body,
    (await server.as(ann, getTicketList, { idProject, idParent: root })).body,
    (await server.as(ann, getTicketList, { idProject, idParent: child })).body,
  ]
  const before = await lists()

  expect((await server.as(ann, trashTicket, { idTicket: child })).body).toEqual({ Success: 1, Tickets: 2 })
  await right()
  const [roots, below] = await lists()
  expect(roots).toMatchObject([{ id: root, SubordinateProposedCount: 1 }])
  expect(below?.map(({ id }) => id)).toEqual([other])
  expect((await server.as(ann, getTicketData, { idTicket: leaf })).body).toMatchObject({ Trashed: 1, Title: 'Leaf' })
  expect((await server.as(ann, getTicketTrash, { idProject })).body).toEqual([
    { id: child, pcode: 'ACME', Type: 'Bug', Title: 'Child', DateTrashed: expect.any(Number), TrashedBy: 'Ann Lee', Tickets: 2 },
  ])
  // Tickets trashed together with an ancestor are restored with it.
  expect(await server.as(ann, restoreTicket, { idTicket: leaf })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, trashTicket, { idTicket: child })).toMatchObject({ status: 422, body: { code: 'rule' } })

  expect((await server.as(ann, restoreTicket, { idTicket: child })).body).toEqual({ Success: 1, Tickets: 2 })
  await right()
  expect(await lists()).toEqual(before)
  expect(await server.as(ann, restoreTicket, { idTicket: child })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketHistory, { idTicket: leaf })).body.Changes).toMatchObject([
    { Field: 'Trash', Label: 'Trash', Before: `In the trash with ACME-${child} Child`, After: null, Restorable: null },
    { Field: 'Trash', Label: 'Trash', Before: null, After: `In the trash with ACME-${child} Child`, Restorable: null },
  ])
  expect((await server.as(ann, getTicketHistory, { idTicket: child })).body.Changes).toMatchObject([
    { Field: 'Trash', Before: 'In the trash', After: null },
    { Field: 'Trash', Before: null, After: 'In the trash' },
  ])
  // One mail for the whole tree, not one for each ticket.
  const notices = await server.db.selectFrom('ticket_notice').select('ticket_id').where('organization_id', '=', ann.orgid).execute()
  expect(notices).toEqual([{ ticket_id: child }])
})

test('a ticket whose parent is gone is restored at the root', async () => {
  const { project, root, child, leaf, ticket, ann, right } = await treeOfTickets()
  const { projectId: idProject } = project
  for (const idTicket of [leaf, child, root]) expect((await server.as(ann, trashTicket, { idTicket })).status).toBe(200)
  expect((await server.as(ann, getTicketTrash, { idProject })).body.map(({ id, Tickets }) => [id, Tickets])).toEqual([
    [root, 2],
    [child, 1],
    [leaf, 1],
  ])
  expect((await server.as(ann, restoreTicket, { idTicket: leaf })).body).toEqual({ Success: 1, Tickets: 1 })
  expect((await server.as(ann, getTicketData, { idTicket: leaf })).body).toSatisfy(
    ({ idParent, Trashed }) => idParent === null && Trashed === undefined,
  )
  expect((await server.as(ann, getTicketHistory, { idTicket: leaf })).body.Changes).toMatchObject([
    { Field: 'Parent', Before: `ACME-${child} Child`, After: null },
    { Field: 'Trash' },
    { Field: 'Trash' },
  ])
  await right()
  // Purging the parent leaves a child that lies in the trash by itself.
  expect((await server.as(ann, purgeTicket, { idTicket: root })).body).toEqual({ Success: 1, Tickets: 2 })
  expect((await server.as(ann, getTicketData, { idTicket: root })).status).toBe(404)
  // What is still to be mailed about other tickets stays.
  const notices = await server.sql<{ id: number }>`select ticket_id as id from ticket_notice where organization_id = ${ann.orgid}`
  expect(notices.map(({ id }) => id).sort()).toEqual([child, leaf])
  expect((await server.as(ann, restoreTicket, { idTicket: child })).body).toEqual({ Success: 1, Tickets: 1 })
  expect((await server.as(ann, getTicketHistory, { idTicket: child })).body.Changes).toMatchObject([
    { Field: 'Trash', After: null },
    { Field: 'Parent', Before: `ACME-${root}`, After: null },
    { Field: 'Trash', Before: null },
  ])
  expect((await server.as(ann, getTicketData, { idTicket: child })).body).toSatisfy(
    ({ idParent, Trashed }) => idParent === null && Trashed === undefined,
  )
  await right()
  // So is one whose parent has moved so far down that the ticket would be too deep.
  let deep = await ticket()
  for (let above = 1; above < limits.depth; above++) deep = await ticket(deep)
  const parent = await ticket()
  const below = await ticket(parent)
  await server.as(ann, trashTicket, { idTicket: below })
  await server.sql`update ticket set parent_id = ${deep} where organization_id = ${ann.orgid} and id = ${parent}`
  await server.as(ann, restoreTicket, { idTicket: below })
  expect((await server.as(ann, getTicketData, { idTicket: below })).body.idParent).toBeNull()
})

test('purging deletes comments, files and their counted bytes: rows first, files by a job', async () => {
  const { organization, child, leaf, other, ann, right } = await treeOfTickets()
  const file = { name: 'photo.jpg', content: jpeg() }
  for (const idTicket of [child, leaf, other]) expect((await upload(server, ann, idTicket, file)).status).toBe(200)
  await server.as(ann, setTicketComment, { idTicket: leaf, Comment: 'text' })
  expect(await server.as(ann, purgeTicket, { idTicket: child })).toMatchObject({ status: 422, body: { code: 'rule' } })
  await server.as(ann, trashTicket, { idTicket: child })
  expect((await server.as(ann, purgeTicket, { idTicket: child })).body).toEqual({ Success: 1, Tickets: 2 })
  expect(filesOf(server.system)).toHaveLength(3)

  const rows = await server.sql<{ payload: { keys: string[] } }>`select payload from graphile_worker._private_jobs`
  expect(rows.map(({ payload }) => payload.keys.length)).toEqual([2])
  for (const { payload } of rows) await removeFiles(server.system, payload, quiet)
  expect(filesOf(server.system)).toHaveLength(1)
  expect(await storedBytes(server, organization)).toBe(file.content.length)
  // Who purged them is known, but none of their texts and names.
  const gone = await server.sql`
    select ticket_id, user_id, before, after from change where organization_id = ${organization} and field = 'Ticket' order by id`
  expect(gone).toEqual([child, leaf].map(ticket_id => ({ ticket_id, user_id: ann.idUser, before: null, after: null })))
  const kept = await server.sql`
    select field, before, after from change
    where organization_id = ${organization} and ticket_id in (${child}, ${leaf}) and (before is not null or after is not null)`
  expect(kept).toEqual([])
  expect(await server.sql`select after from change where organization_id = ${organization} and ticket_id = ${other}`).toEqual([
    { after: 'photo.jpg' },
  ])
  await right()
})

test('purging a large tree forgets the values of some hundred tickets by each statement, which would take too long for all', async () => {
  const { organization, ann, ticket } = await treeOfTickets()
  const top = await ticket()
  await server.sql`
    insert into ticket (organization_id, project_id, template_id, state_id, parent_id, title)
    select t.organization_id, t.project_id, t.template_id, t.state_id, t.id, 'Step ' || n from ticket t, generate_series(1, 1000) n
    where t.organization_id = ${organization} and t.id = ${top}`
  await server.as(ann, trashTicket, { idTicket: top })
  let statements = 0
  onRun(({ text }) => {
    if (text.includes('update change set before = null')) statements++
  })
  expect((await server.as(ann, purgeTicket, { idTicket: top })).body).toEqual({ Success: 1, Tickets: 1001 })
  expect(statements).toBe(3)
  const kept = server.sql`select 1 from change where organization_id = ${organization} and (before is not null or after is not null)`
  expect(await kept).toEqual([])
})

test('nothing is added below a ticket that goes to the trash meanwhile', async () => {
  const { project, ticket, ann, right } = await treeOfTickets()
  const input = { idProject: project.projectId, idTemplate: project.templates.bug, Title: 'late' }
  for (let race = 0; race < 25; race++) {
    const top = await ticket()
    const below = await ticket(top)
    const [trashed, ...created] = await Promise.all([
      server.as(ann, trashTicket, { idTicket: top }),
      ...[top, below, below].map(idParent => server.as(ann, createNewTicket, { ...input, idParent })),
    ])
    expect(trashed.status, `race ${race}`).toBe(200)
    for (const { status } of created) expect([200, 422]).toContain(status)
    const made = created.filter(({ status }) => status === 200).length
    expect(trashed.body.Tickets).toBe(2 + made)
  }
  await right()
})

test('a refused trash call changes nothing', async () => {
  const { organization, project, root, child, ann, viewer, foreigner } = await treeOfTickets()
  const bad: [unknown, string][] = [
    [{}, 'idTicket'],
    [{ idTicket: '1' }, 'idTicket'],
  ]
  await expectRefusals(server, trashTicket, { input: { idTicket: root }, caller: ann, foreigner, unpermitted: viewer, bad })
  await server.as(ann, trashTicket, { idTicket: child })
  for (const call of [restoreTicket, purgeTicket]) {
    await expectRefusals(server, call, { input: { idTicket: child }, caller: ann, foreigner, unpermitted: viewer, bad })
  }
  await expectRefusals(server, getTicketTrash, {
    input: { idProject: project.projectId },
    caller: ann,
    foreigner,
    unpermitted: viewer,
    bad: [[{ idProject: null }, 'idProject']],
  })
  await server.sql`update project set archived_at = now() where organization_id = ${organization}`
  const before = await databaseDigest(server.db)
  expect(await server.as(ann, trashTicket, { idTicket: root })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, restoreTicket, { idTicket: child })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, purgeTicket, { idTicket: child })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await databaseDigest(server.db)).toBe(before)
})

test('the trash is paged by a hundred, and all of 130 are reached, also those trashed at the same moment', async () => {
  const { organization, project, root, ann } = await treeOfTickets()
  const { projectId: idProject } = project
  const ids: number[] = []
  for (let at = 0; at < 130; at++) ids.push(await makeTicket(server.db, organization, project))
  await server.sql`
    update ticket set trashed_at = now(), trashed_by = ${ann.idUser}, trash_root_id = id
    where organization_id = ${organization} and id = any(${ids})`
  const first = (await server.as(ann, getTicketTrash, { idProject })).body
  const second = (await server.as(ann, getTicketTrash, { idProject, Before: first.at(-1)?.id as number })).body
  expect([first.length, second.length]).toEqual([100, 30])
  expect([...first, ...second].map(({ id }) => id)).toEqual(ids.toReversed())
  // Not in the trash: nothing to restore.
  expect((await server.as(ann, getTicketTrash, { idProject, Before: root })).body).toHaveLength(100)
})

test('a tree that is too large to be changed at once is refused with what to do', async () => {
  const canceled = () => Promise.reject(Object.assign(new Error(), { code: '57014' }))
  await expect(onTree(server.db, canceled)).rejects.toMatchObject({
    code: 'rule',
    message: expect.stringMatching(/^There are too many tickets .* Nothing was changed: try again/),
  })
})
