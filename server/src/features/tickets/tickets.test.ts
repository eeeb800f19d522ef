import { limits } from '@tessera/contract/limits'
import { createNewTicket, getTicketData, getTicketList, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeAssignment, makeField, makeTicket } from '../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../test/fixtures/recount.ts'
import { digest, history, refusesStrangers, ticketsOfPeople, unknownId } from '../../../test/fixtures/worlds/tickets-of-people.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('create-new-ticket: a root, a child, their counters, history and notice [7.22]', async () => {
  const { organization, project, idProject, ann, stranger, someone } = await ticketsOfPeople(server, [1, 2])
  const make = { idProject, idTemplate: project.templates.bug, Title: '  A root ' }
  const [root] = (await server.as(ann, createNewTicket, make)).body as [number]
  const [child] = (await server.as(ann, createNewTicket, { ...make, Title: 'A child', idParent: root })).body as [number]
  const rows = (await server.as(ann, getTicketList, { idProject })).body
  expect(rows).toMatchObject([{ id: root, Title: 'A root', State: 'Open', SubordinateProposedCount: 1, SubordinateActiveCount: 0 }])
  expect((await server.as(ann, getTicketList, { idProject, idParent: root })).body).toMatchObject([{ id: child, idParent: root }])
  expect(await history(server, organization, root)).toEqual([['Ticket', null, 'A root']])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  expect(await server.sql`select ticket_id from ticket_notice where organization_id = ${organization} order by ticket_id`).toEqual([
    { ticket_id: root },
    { ticket_id: child },
  ])

  const before = await digest(server, organization)
  await refusesStrangers(server, stranger, createNewTicket, make, { ...make, idProject: unknownId })
  expect((await server.as(ann, createNewTicket, { ...make, idTemplate: unknownId })).status).toBe(404)
  expect((await server.as(ann, createNewTicket, { ...make, idParent: unknownId })).status).toBe(404)
  expect(await server.as(ann, createNewTicket, { ...make, Title: ' ' })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'Title' }] },
  })
  expect(await server.as(ann, createNewTicket, { ...make, Title: 'x'.repeat(501) })).toMatchObject({ status: 400 })
  const viewer = await someone([1, 3, 4, 5])
  expect(await server.as(viewer, createNewTicket, make)).toMatchObject({
    status: 422,
    body: { code: 'not_permitted', needs: 'Create tickets' },
  })
  const outsider = await someone([2])
  expect((await server.as(outsider, createNewTicket, make)).status).toBe(404)
  await server.sql`update template set archived_at = now() where organization_id = ${organization} and id = ${project.templates.task}`
  expect(await server.as(ann, createNewTicket, { ...make, idTemplate: project.templates.task })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  expect(await digest(server, organization)).toBe(before)
})

test('create-new-ticket repeats its answer for an Idempotency-Key', async () => {
  const { organization, project, idProject, ann } = await ticketsOfPeople(server)
  const make = { idProject, idTemplate: project.templates.bug, Title: 'Once' }
  const key = { 'idempotency-key': crypto.randomUUID() }
  const answers = await Promise.all([1, 2, 3].map(() => server.as(ann, createNewTicket, make, key)))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await server.as(ann, createNewTicket, { ...make, Title: 'Other' }, key)).toMatchObject({ status: 422 })
  expect((await server.as(ann, queryTickets, { idProject })).body.Total).toBe(1)
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a ticket has at most 20 tickets above it', async () => {
  const { organization, project, idProject, ann } = await ticketsOfPeople(server)
  let idParent: number | undefined
  for (let level = 0; level <= 20; level++) {
    const made = await server.as(ann, createNewTicket, {
      idProject,
      idTemplate: project.templates.bug,
      Title: `Level ${level}`,
      ...(idParent === undefined ? {} : { idParent }),
    })
    expect(made.status).toBe(200)
    idParent = made.body[0]
  }
  const deeper = await server.as(ann, createNewTicket, {
    idProject,
    idTemplate: project.templates.bug,
    Title: 'Too deep',
    idParent: idParent ?? 0,
  })
  expect(deeper).toMatchObject({ status: 422, body: { code: 'rule' } })
  const found = (await server.as(ann, queryTickets, { idProject, Title: 'level 20' })).body.Tickets
  expect(found[0]?.Path?.map(({ Title }) => Title)).toEqual(Array.from({ length: 20 }, (_, level) => `Level ${level}`))
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('get-ticket-data: one ticket, whole [3.8] [3.10] [7.20]', async () => {
  const { organization, project, idProject, ann, stranger, someone } = await ticketsOfPeople(server, [1, 3, 5])
  const parent = await makeTicket(server.db, organization, project)
  const ticket = await makeTicket(server.db, organization, project, { title: 'Whole', parentId: parent, stateId: project.states.doing })
  await makeAssignment(server.db, organization, project, ticket, ann.idUser)
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${ticket}, ${project.fields.size}, 'l')`
  const ownerField = await makeField(server.db, organization, project, 'owner', 'USER', { label: 'Owner' })
  const files = ['east.jpg', 'Émile.jpg', 'zebra.jpg']
  await server.sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organization}::bigint, ${ticket}::bigint, name, 'image/jpeg', 1, '', 'none/' || name from unnest(${files.toReversed()}::text[]) name`

  const { body } = await server.as(ann, getTicketData, { idTicket: ticket })
  expect(body).toEqual({
    idTicket: ticket,
    idProject,
    ProjectTitle: 'Apollo',
    pcode: 'APO',
    idParent: parent,
    Created: expect.closeTo(Date.now() / 1000, -2),
    Type: 'Bug',
    idTemplate: project.templates.bug,
    OtherTypes: [{ id: project.templates.task, Description: 'Task' }],
    Assignees: [{ idUser: ann.idUser, idRole: project.roles.assignee, Name: 'Ann', Role: 'Assignee' }],
    State: 'Doing',
    idState: project.states.doing,
    Phase: 2,
    OutputStates: [
      { id: project.states.open, Description: 'Open' },
      { id: project.states.done, Description: 'Done' },
    ],
    Watchers: expect.any(Array),
    Blocked: 0,
    Labels: [],
    Attachments: files.map(name => ({ id: expect.any(Number), name })),
    Title: 'Whole',
    Fields: [
      { Key: 'note', Label: 'Note', Value: '', Renderer: 'TEXTMULTILINE', FieldProps: [] },
      {
        Key: 'size',
        Label: 'Size',
        Value: 'l',
        Renderer: 'SELECT',
        FieldProps: [
          { value: 's', label: 'Small' },
          { value: 'l', label: 'Large' },
        ],
      },
      { Key: 'owner', Label: 'Owner', Value: '', Renderer: 'USER', FieldProps: [{ value: String(ann.idUser), label: 'Ann' }] },
    ],
    NotificationSubscription: 1,
    Version: 1,
    Permissions: [1, 3, 5],
  })

  // Each such field would repeat thousands of people.
  const owner = async () => (await server.as(ann, getTicketData, { idTicket: ticket })).body.Fields[2]?.FieldProps
  const others = await server.sql<{ id: number }>`
    with made as (insert into user_account (login) select 'member-' || n from generate_series(1, ${limits.peopleInField}) n returning id),
      joined as (insert into organization_member (organization_id, user_id) select ${organization}, id from made returning user_id)
    select user_id as id from joined`
  const [members] = await server.sql<{ people: number }>`
    select count(*)::int as people from project_member where organization_id = ${organization} and project_id = ${idProject}`
  const join = (people: { id: number }[]) =>
    server.sql`
    insert into project_member (organization_id, project_id, user_id)
    select ${organization}, ${idProject}, id from unnest(${people.map(({ id }) => id)}::bigint[]) id`
  await join(others.slice(members?.people))
  expect(await owner()).toHaveLength(limits.peopleInField)
  await join(others.slice(0, 1))
  expect(await owner()).toEqual([])
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    values (${organization}, ${ticket}, ${ownerField}, ${String(ann.idUser)})`
  expect(await owner()).toEqual([{ value: String(ann.idUser), label: 'Ann' }])

  await refusesStrangers(server, stranger, getTicketData, { idTicket: ticket }, { idTicket: unknownId })
  expect(await server.as(ann, getTicketData, { idTicket: 0 })).toMatchObject({ status: 400, body: { fields: [{ path: 'idTicket' }] } })
  const outsider = await someone([3, 4])
  expect((await server.as(outsider, getTicketData, { idTicket: ticket })).status).toBe(404)
})

test('an archived field is shown only on tickets that hold a value', async () => {
  const { organization, project, ann } = await ticketsOfPeople(server)
  const [holds, empty] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  expect((await server.as(ann, setTicketData, { idTicket: holds, data: { size: 's' } })).status).toBe(200)
  await server.sql`update field set archived_at = now() where organization_id = ${organization} and id = ${project.fields.size}`
  const keys = async (idTicket: number) =>
    (await server.as(ann, getTicketData, { idTicket })).body.Fields.map(({ Key, Value }) => [Key, Value])
  expect(await keys(holds)).toEqual([
    ['note', ''],
    ['size', 's'],
  ])
  expect(await keys(empty)).toEqual([['note', '']])
  expect((await server.as(ann, setTicketData, { idTicket: holds, data: { size: 'l' } })).status).toBe(200)
  expect((await server.as(ann, setTicketData, { idTicket: empty, data: { size: 'l' } })).status).toBe(404)
  expect((await server.as(ann, setTicketData, { idTicket: holds, data: { size: '' } })).status).toBe(200)
  expect(await keys(holds)).toEqual([['note', '']])
})
