import type { Call, Request } from '@tessera/contract/call'
import {
  createNewTicket,
  getTicketData,
  getTicketList,
  type QueriedTicket,
  queryTickets,
  setTicketData,
  type TicketListItem,
} from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../test/data/factories.ts'
import { peopledProject } from '../../../test/data/peopled-project.ts'
import { everyCounterRight, recount } from '../../../test/data/recount.ts'
import { type Caller, startServer, type TestServer } from '../../../test/servers/server.ts'
import { poolOf } from '../../db/db.ts'

/** A project with one member of the given permissions, and a stranger: an admin of another organization. */
async function setUp(server: TestServer, permissions: readonly number[] | 'all' = 'all') {
  const made = await peopledProject(server, { title: 'Apollo', shortCode: 'APO' })
  const ann = await made.someone(permissions, { login: `ann${made.organization}`, fullName: 'Ann' })
  return { ...made, ann, stranger: made.foreigner }
}

/** Everything of an organization that a refused write must leave as it was. */
async function digest(server: TestServer, organization: number) {
  const tables = ['ticket', 'ticket_value', 'assignment', 'ticket_subordinate', 'ticket_tally', 'change', 'ticket_notice']
  const { rows } = await sql<{ md5: string }>`
    select md5(string_agg(line, chr(10) order by line)) as md5 from (${sql.join(
      tables.map(table => sql`select t::text as line from ${sql.table(table)} t where organization_id = ${organization}`),
      sql` union all `,
    )}) lines`.execute(server.db)
  return rows[0]?.md5
}

/** The refusals every call has in common: no session, another organization, an unknown id; with one body for both of the latter. */
async function refusesStrangers<C extends Call>(server: TestServer, stranger: Caller, call: C, input: Request<C>, unknown: Request<C>) {
  expect(await server.as(null, call, input)).toMatchObject({ status: 403, body: { auth: 0 } })
  const [foreign, missing] = [await server.as(stranger, call, input), await server.as(stranger, call, unknown)]
  const { requestId: _, ...foreignBody } = foreign.body as unknown as Record<string, unknown>
  const { requestId: __, ...missingBody } = missing.body as unknown as Record<string, unknown>
  expect([foreign.status, missing.status]).toEqual([404, 404])
  expect(foreignBody).toEqual(missingBody)
}

async function history(server: TestServer, organization: number, ticketId: number) {
  const rows = await server.db
    .selectFrom('change')
    .select(['field', 'before', 'after', 'change_set_id', 'user_id'])
    .where('organization_id', '=', organization)
    .where('ticket_id', '=', ticketId)
    .orderBy('id')
    .execute()
  return rows.map(({ field, before, after }) => [field, before, after])
}

const none = 9_007_199_254_740_991

test('get-ticket-list: roots and children, the newest first, with the counts of direct children [3.7] [7.19]', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann, stranger } = await setUp(server, [1])
  const first = await makeTicket(server.db, organization, project, { title: 'First' })
  const second = await makeTicket(server.db, organization, project, { title: 'Second', templateId: project.templates.task })
  const child = await makeTicket(server.db, organization, project, { parentId: first, stateId: project.states.doing, title: 'Child' })
  await makeTicket(server.db, organization, project, { parentId: first, stateId: project.states.done })
  await makeTicket(server.db, organization, project, { parentId: child })
  await server.db
    .insertInto('assignment')
    .values({
      organization_id: organization,
      project_id: idProject,
      ticket_id: first,
      user_id: ann.idUser,
      role_id: project.roles.reviewer,
    })
    .execute()

  const roots = await server.as(ann, getTicketList, { idProject })
  expect(roots.body).toEqual([
    {
      id: second,
      pcode: 'APO',
      Type: 'Task',
      Phase: 1,
      State: 'Open',
      Title: 'Second',
      UserAssigned: 0,
      SubordinateProposedCount: 0,
      SubordinateActiveCount: 0,
      SubordinateInactiveCount: 0,
      idParent: null,
      Labels: [],
      Blocked: 0,
    },
    {
      id: first,
      pcode: 'APO',
      Type: 'Bug',
      Phase: 1,
      State: 'Open',
      Title: 'First',
      UserAssigned: 1,
      SubordinateProposedCount: 0,
      SubordinateActiveCount: 1,
      SubordinateInactiveCount: 1,
      idParent: null,
      Labels: [],
      Blocked: 0,
    },
  ])
  const children = (await server.as(ann, getTicketList, { idProject, idParent: first })).body as TicketListItem[]
  expect(children.map(({ Title, Phase, SubordinateProposedCount }) => [Title, Phase, SubordinateProposedCount])).toContainEqual([
    'Child',
    2,
    1,
  ])
  expect(children).toHaveLength(2)
  expect((await server.as(ann, getTicketList, { idProject, idParent: second })).body).toEqual([])
  expect((await server.as(ann, getTicketList, { idProject, idParent: none })).status).toBe(404)
  await refusesStrangers(server, stranger, getTicketList, { idProject }, { idProject: none })
  expect(await server.as(ann, getTicketList, { idProject: '1' })).toMatchObject({ status: 400, body: { fields: [{ path: 'idProject' }] } })
})

test('lists give every title back as it is', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann } = await setUp(server)
  const titles = [
    '"quoted" \\ back',
    'a\u001fb\u0001c',
    'line\nbreak\u2028',
    'Größe 東京 🚀',
    '\ud83d half',
    "'; drop table ticket",
    'x'.repeat(255),
  ]
  for (const title of titles) await makeTicket(server.db, organization, project, { title: title.toWellFormed() })
  const expected = titles.map(title => title.toWellFormed()).reverse()
  expect((await server.as(ann, getTicketList, { idProject })).body.map(({ Title }) => Title)).toEqual(expected)
  expect((await server.as(ann, queryTickets, { idProject })).body.Tickets.map(({ Title }) => Title)).toEqual(expected)
})

test('nobody waits behind a list without bound: it has a connection of its own', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann } = await setUp(server, [1])
  const idTicket = await makeTicket(server.db, organization, project)
  const pool = poolOf(server.db)
  using taken = new DisposableStack()
  for (let count = 0; count < pool.options.max; count++) taken.adopt(await pool.connect(), client => client.release())
  const lists = [{ idProject }, { idProject, idParent: idTicket }].map(input => server.as(ann, getTicketList, input))
  await expect.poll(() => pool.waitingCount).toBe(2)
  expect((await server.as(ann, getTicketData, { idTicket })).status).toBe(200)
  expect((await server.as(ann, queryTickets, { idProject })).status).toBe(200)
  taken.dispose()
  for (const list of lists) expect((await list).status).toBe(200)
})

test('a parent of another project is not found', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann } = await setUp(server)
  const other = await makeProject(server.db, organization)
  const foreign = await makeTicket(server.db, organization, other)
  await makeTicket(server.db, organization, project)
  expect((await server.as(ann, getTicketList, { idProject, idParent: foreign })).status).toBe(404)
  expect((await server.as(ann, queryTickets, { idProject, idParent: foreign })).status).toBe(404)
  expect((await server.as(ann, queryTickets, { idProject, idParent: foreign, Title: 'x' })).status).toBe(404)
  const before = await digest(server, organization)
  const make = { idProject, idTemplate: project.templates.bug, Title: 'x' }
  expect((await server.as(ann, createNewTicket, { ...make, idParent: foreign })).status).toBe(404)
  expect((await server.as(ann, createNewTicket, { ...make, idTemplate: other.templates.bug })).status).toBe(404)
  expect(await digest(server, organization)).toBe(before)
})

test('create-new-ticket: a root, a child, their counters, history and notice [7.22]', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann, stranger, someone } = await setUp(server, [1, 2])
  const make = { idProject, idTemplate: project.templates.bug, Title: '  A root ' }
  const [root] = (await server.as(ann, createNewTicket, make)).body as [number]
  const [child] = (await server.as(ann, createNewTicket, { ...make, Title: 'A child', idParent: root })).body as [number]
  const rows = (await server.as(ann, getTicketList, { idProject })).body
  expect(rows).toMatchObject([{ id: root, Title: 'A root', State: 'Open', SubordinateProposedCount: 1, SubordinateActiveCount: 0 }])
  expect((await server.as(ann, getTicketList, { idProject, idParent: root })).body).toMatchObject([{ id: child, idParent: root }])
  expect(await history(server, organization, root)).toEqual([['Ticket', null, 'A root']])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  expect(
    await server.db
      .selectFrom('ticket_notice')
      .select('ticket_id')
      .where('organization_id', '=', organization)
      .orderBy('ticket_id')
      .execute(),
  ).toEqual([{ ticket_id: root }, { ticket_id: child }])

  const before = await digest(server, organization)
  await refusesStrangers(server, stranger, createNewTicket, make, { ...make, idProject: none })
  expect((await server.as(ann, createNewTicket, { ...make, idTemplate: none })).status).toBe(404)
  expect((await server.as(ann, createNewTicket, { ...make, idParent: none })).status).toBe(404)
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
  await sql`update template set archived_at = now() where organization_id = ${organization} and id = ${project.templates.task}`.execute(
    server.db,
  )
  expect(await server.as(ann, createNewTicket, { ...make, idTemplate: project.templates.task })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  expect(await digest(server, organization)).toBe(before)
})

test('create-new-ticket repeats its answer for an Idempotency-Key', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann } = await setUp(server)
  const make = { idProject, idTemplate: project.templates.bug, Title: 'Once' }
  const key = { 'idempotency-key': crypto.randomUUID() }
  const answers = await Promise.all([1, 2, 3].map(() => server.as(ann, createNewTicket, make, key)))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await server.as(ann, createNewTicket, { ...make, Title: 'Other' }, key)).toMatchObject({ status: 422 })
  expect((await server.as(ann, queryTickets, { idProject })).body.Total).toBe(1)
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a ticket has at most 20 tickets above it', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann } = await setUp(server)
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
  await using server = await startServer()
  const { organization, project, idProject, ann, stranger, someone } = await setUp(server, [1, 3, 5])
  const parent = await makeTicket(server.db, organization, project)
  const ticket = await makeTicket(server.db, organization, project, { title: 'Whole', parentId: parent, stateId: project.states.doing })
  const scope = { organization_id: organization, project_id: idProject }
  await server.db
    .insertInto('assignment')
    .values({ ...scope, ticket_id: ticket, user_id: ann.idUser, role_id: project.roles.assignee })
    .execute()
  await server.db
    .insertInto('ticket_value')
    .values({ organization_id: organization, ticket_id: ticket, field_id: project.fields.size, value: 'l' })
    .execute()
  const person = await server.db
    .insertInto('field')
    .values({ ...scope, key: 'owner', label: 'Owner', type_id: 8, position: 2 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await server.db
    .insertInto('template_field')
    .values({ ...scope, template_id: project.templates.bug, field_id: person.id, position: 2 })
    .execute()

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
    Attachments: [],
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
  await refusesStrangers(server, stranger, getTicketData, { idTicket: ticket }, { idTicket: none })
  expect(await server.as(ann, getTicketData, { idTicket: 0 })).toMatchObject({ status: 400, body: { fields: [{ path: 'idTicket' }] } })
  const outsider = await someone([3, 4])
  expect((await server.as(outsider, getTicketData, { idTicket: ticket })).status).toBe(404)
})

test('an archived field is shown only on tickets that hold a value', async () => {
  await using server = await startServer()
  const { organization, project, ann } = await setUp(server)
  const [holds, empty] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  expect((await server.as(ann, setTicketData, { idTicket: holds, data: { size: 's' } })).status).toBe(200)
  await sql`update field set archived_at = now() where organization_id = ${organization} and id = ${project.fields.size}`.execute(server.db)
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

test('set-ticket-data: every part in one save, with its history [7.21]', async () => {
  await using server = await startServer()
  const { organization, project, ann, stranger } = await setUp(server)
  const parent = await makeTicket(server.db, organization, project)
  const ticket = await makeTicket(server.db, organization, project, { title: 'Old', parentId: parent })
  const saved = await server.as(ann, setTicketData, {
    idTicket: ticket,
    Title: ' New ',
    State: project.states.done,
    data: { note: 'a\nb', size: 'l' },
    TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 1 }],
    Version: 1,
  })
  expect(saved).toMatchObject({
    status: 200,
    body: {
      Success: 1,
      Version: 2,
      States: [
        { id: project.states.open, Description: 'Open' },
        { id: project.states.doing, Description: 'Doing' },
      ],
    },
  })
  const { body } = await server.as(ann, getTicketData, { idTicket: ticket })
  expect(body).toMatchObject({ Title: 'New', State: 'Done', Phase: 3, Version: 2, Assignees: [{ Name: 'Ann', Role: 'Assignee' }] })
  expect(body.Fields.map(({ Value }) => Value)).toEqual(['a\nb', 'l'])
  const pair = JSON.stringify({ idUser: ann.idUser, idRole: project.roles.assignee })
  expect((await history(server, organization, ticket)).sort()).toEqual(
    [
      ['Assignee', null, pair],
      ['data.note', null, 'a\nb'],
      ['data.size', null, 'l'],
      ['Title', 'Old', 'New'],
      ['State', String(project.states.open), String(project.states.done)],
    ].sort(),
  )
  const sets = await server.db.selectFrom('change').select('change_set_id').distinct().where('organization_id', '=', organization).execute()
  expect(sets).toHaveLength(1)
  expect((await server.as(ann, getTicketList, { idProject: project.projectId })).body).toMatchObject([{ SubordinateInactiveCount: 1 }])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)

  // Repeating it changes nothing.
  const again = await server.as(ann, setTicketData, { idTicket: ticket, Title: 'New', State: project.states.done, data: { size: 'l' } })
  expect(again.body).toEqual({ Success: 1, Version: 2 })
  expect((await server.as(ann, setTicketData, { idTicket: ticket })).body).toEqual({ Success: 1, Version: 2 })
  expect(await history(server, organization, ticket)).toHaveLength(5)
  const unassign = { idTicket: ticket, TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 0 as const }] }
  expect((await server.as(ann, setTicketData, unassign)).body).toEqual({ Success: 1, Version: 3 })
  expect((await server.as(ann, getTicketData, { idTicket: ticket })).body.Assignees).toEqual([])
  await refusesStrangers(server, stranger, setTicketData, { idTicket: ticket, Title: 'x' }, { idTicket: none, Title: 'x' })
})

test('set-ticket-data: each part needs its permission, and a refusal saves nothing', async () => {
  await using server = await startServer()
  const { organization, project, elsewhere, stranger, someone } = await setUp(server)
  const ticket = await makeTicket(server.db, organization, project)
  const idTicket = ticket
  const before = await digest(server, organization)
  const everything = {
    idTicket,
    Title: 'x',
    data: { note: 'x' },
    State: project.states.done,
    TicketAssign: [{ idUser: stranger.idUser, idRole: project.roles.assignee, Enabled: 1 as const }],
  }
  for (const [permissions, needs] of [
    [[1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], 'Edit tickets'],
    [[1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13], 'Change state'],
    [[1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13], 'Assign people'],
  ] as const) {
    const caller = await someone(permissions)
    expect(await server.as(caller, setTicketData, everything)).toMatchObject({
      status: 422,
      body: { Success: 0, code: 'not_permitted', needs },
    })
  }
  const ann = await someone('all')
  const otherProject = await makeProject(server.db, organization)
  const foreignProject = await makeProject(server.db, elsewhere)
  for (const part of [
    { data: { unknown: 'x' } },
    { data: { constructor: 'x' } },
    { State: none },
    { State: otherProject.states.done },
    { State: foreignProject.states.done },
    { TicketAssign: [{ idUser: stranger.idUser, idRole: project.roles.assignee, Enabled: 1 }] },
    { TicketAssign: [{ idUser: ann.idUser, idRole: otherProject.roles.assignee, Enabled: 1 }] },
    { TicketAssign: [{ idUser: ann.idUser, idRole: foreignProject.roles.assignee, Enabled: 0 }] },
  ]) {
    expect(await server.as(ann, setTicketData, { idTicket, Title: 'x', ...part }), JSON.stringify(part)).toMatchObject({ status: 404 })
  }
  for (const [part, path] of [
    [{ data: { size: 'xxl' } }, 'data.size'],
    [{ Title: '' }, 'Title'],
    [{ State: '1' }, 'State'],
    [{ data: { note: 1 } }, 'data.note'],
    [{ Version: -1 }, 'Version'],
    [{ Other: 1 }, 'Other'],
  ] as const) {
    expect(await server.as(ann, setTicketData, { idTicket, data: { note: 'x' }, ...part }), path).toMatchObject({
      status: 400,
      body: { fields: [{ path }] },
    })
  }
  expect(await digest(server, organization)).toBe(before)
})

test('set-ticket-data: values fit their field', async () => {
  await using server = await startServer()
  const { organization, project, ann } = await setUp(server)
  const scope = { organization_id: organization, project_id: project.projectId }
  const types = { number: 4, day: 5, done: 6, tags: 7, owner: 8, link: 9 }
  const options = JSON.stringify([
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ])
  for (const [index, [key, type_id]] of Object.entries(types).entries()) {
    const { id } = await server.db
      .insertInto('field')
      .values({ ...scope, key, label: key, type_id, position: 9 + index, options: type_id === 7 ? options : '[]' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('template_field')
      .values({ ...scope, template_id: project.templates.bug, field_id: id, position: 9 + index })
      .execute()
  }
  const idTicket = await makeTicket(server.db, organization, project)
  const good = {
    number: '-12.5',
    day: '2028-02-29',
    done: '1',
    tags: '["b","a"]',
    owner: String(ann.idUser),
    link: 'https://example.com/a?b',
  }
  expect(await server.as(ann, setTicketData, { idTicket, data: good })).toMatchObject({ status: 200 })
  const { body } = await server.as(ann, getTicketData, { idTicket })
  expect(Object.fromEntries(body.Fields.map(({ Key, Value }) => [Key, Value]))).toMatchObject(good)
  const bad = { number: '1,5', day: '2027-02-29', done: 'true', tags: '["c"]', owner: String(none), link: 'javascript:alert(1)' }
  for (const [key, value] of Object.entries(bad)) {
    expect(await server.as(ann, setTicketData, { idTicket, data: { [key]: value } }), key).toMatchObject({
      status: 400,
      body: { fields: [{ path: `data.${key}` }] },
    })
  }
  const nothing = Object.fromEntries(Object.keys(types).map(key => [key, '']))
  expect(await server.as(ann, setTicketData, { idTicket, data: nothing })).toMatchObject({ status: 200 })
})

test('set-ticket-data: fields merge, the same field conflicts, without Version the last writer wins', async () => {
  await using server = await startServer()
  const { organization, project, ann, someone } = await setUp(server)
  const bob = await someone('all')
  const idTicket = await makeTicket(server.db, organization, project, { title: 'Old' })
  const save = (who: Caller, parts: Partial<Request<typeof setTicketData>>) => server.as(who, setTicketData, { idTicket, ...parts })
  expect((await save(ann, { data: { note: 'first' }, Version: 1 })).body).toEqual({ Success: 1, Version: 2 })
  expect((await save(bob, { Title: 'New', data: { size: 's' }, Version: 1 })).body).toEqual({ Success: 1, Version: 3 })

  const before = await digest(server, organization)
  expect(await save(bob, { data: { note: 'second', size: 'l' }, Title: 'Newer', Version: 2 })).toMatchObject({
    status: 409,
    body: {
      code: 'conflict',
      Version: 3,
      Title: 'New',
      data: { note: 'first', size: 's' },
      Conflicts: [
        { Field: 'data.size', Value: 's', ChangedBy: expect.any(String), ChangedAt: expect.any(Number) },
        { Field: 'Title', Value: 'New' },
      ],
    },
  })
  const conflict = await save(bob, { data: { note: 'second' }, Version: 1 })
  expect(conflict).toMatchObject({ status: 409, body: { Conflicts: [{ Field: 'data.note', Value: 'first', ChangedBy: 'Ann' }] } })
  expect(await digest(server, organization)).toBe(before)
  // Saving the value already stored is no conflict.
  expect((await save(bob, { data: { note: 'first' }, Version: 1 })).body).toEqual({ Success: 1, Version: 3 })
  expect((await save(bob, { data: { note: 'second' } })).body).toEqual({ Success: 1, Version: 4 })
  // A cleared value is a change like any other.
  expect((await save(ann, { data: { note: '' } })).body).toEqual({ Success: 1, Version: 5 })
  expect(await save(bob, { data: { note: 'third' }, Version: 4 })).toMatchObject({
    status: 409,
    body: { Conflicts: [{ Field: 'data.note', Value: '' }] },
  })
  // State
  expect((await save(ann, { State: project.states.doing })).body).toMatchObject({ Version: 6 })
  expect(await save(bob, { State: project.states.done, Version: 5 })).toMatchObject({
    status: 409,
    body: { Conflicts: [{ Field: 'State', Value: String(project.states.doing) }], idState: project.states.doing, State: 'Doing' },
  })
})

test('set-ticket-data obeys the workflow', async () => {
  await using server = await startServer()
  const { organization, project, ann } = await setUp(server)
  const { open, doing, done } = project.states
  const idTicket = await makeTicket(server.db, organization, project)
  const scope = { organization_id: organization, project_id: project.projectId }
  await server.db
    .insertInto('state_transition')
    .values([
      { ...scope, from_state_id: open, to_state_id: doing },
      { ...scope, from_state_id: doing, to_state_id: done },
    ])
    .execute()
  expect((await server.as(ann, getTicketData, { idTicket })).body.OutputStates).toEqual([{ id: doing, Description: 'Doing' }])
  const before = await digest(server, organization)
  expect(await server.as(ann, setTicketData, { idTicket, Title: 'x', State: done })).toMatchObject({
    status: 409,
    body: { code: 'conflict', States: [{ id: doing, Description: 'Doing' }], Conflicts: [] },
  })
  expect(await digest(server, organization)).toBe(before)
  expect((await server.as(ann, setTicketData, { idTicket, State: open })).body).toEqual({ Success: 1, Version: 1 })
  expect((await server.as(ann, setTicketData, { idTicket, State: doing })).body).toEqual({
    Success: 1,
    Version: 2,
    States: [{ id: done, Description: 'Done' }],
  })
  expect((await server.as(ann, setTicketData, { idTicket, State: done })).body).toEqual({ Success: 1, Version: 3, States: [] })
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('an archived project and a ticket in the trash take no changes', async () => {
  await using server = await startServer()
  const { organization, project, idProject, ann } = await setUp(server)
  const [trashed, open] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  await sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id = ${trashed}`.execute(
    server.db,
  )
  const create = { idProject, idTemplate: project.templates.bug, Title: 'x' }
  expect(await server.as(ann, setTicketData, { idTicket: trashed, Title: 'x' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, createNewTicket, { ...create, idParent: trashed })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketData, { idTicket: trashed })).body.Trashed).toBe(1)
  await sql`update project set archived_at = now() where organization_id = ${organization} and id = ${idProject}`.execute(server.db)
  expect(await server.as(ann, setTicketData, { idTicket: open, Title: 'x' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, createNewTicket, create)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketList, { idProject })).body).toHaveLength(1)
})

// ── query-tickets ───────────────────────────────────────────────────────────

/** 60 tickets on three levels in both templates and all states, as a plain list to compare with. */
async function forest(server: TestServer) {
  const made = await setUp(server)
  const { organization, project, ann } = made
  const states = Object.values(project.states)
  const templates = Object.values(project.templates)
  const tickets: { id: number; parent: number | null; state: number; template: number; title: string }[] = []
  for (let index = 0; index < 60; index++) {
    const parent = index % 3 === 0 ? null : (tickets[index - 1]?.id ?? null)
    const state = states[(index * 7) % 3] as number
    const template = templates[(index >> 2) % 2] as number
    const title = `Ticket ${index} ${index % 5 === 0 ? '50%_off' : 'plain'}`
    const id = await makeTicket(server.db, organization, project, {
      title,
      stateId: state,
      templateId: template,
      ...(parent === null ? {} : { parentId: parent }),
    })
    tickets.push({ id, parent, state, template, title })
    if (index % 4 === 0) {
      await server.db
        .insertInto('assignment')
        .values({
          organization_id: organization,
          project_id: project.projectId,
          ticket_id: id,
          user_id: ann.idUser,
          role_id: project.roles.reviewer,
        })
        .execute()
    }
  }
  const mine = new Set(tickets.filter((_, index) => index % 4 === 0).map(({ id }) => id))
  return { ...made, tickets, mine }
}

/** All pages of a query, one after the other. */
async function allPages(server: TestServer, caller: Caller, input: Request<typeof queryTickets>) {
  const tickets: QueriedTicket[] = []
  let Cursor: string | undefined
  for (;;) {
    const { status, body } = await server.as(caller, queryTickets, { ...input, ...(Cursor === undefined ? {} : { Cursor }) })
    expect(status).toBe(200)
    tickets.push(...body.Tickets)
    expect(body.Tickets.length).toBeLessThanOrEqual(input.Limit ?? 100)
    if (body.NextCursor === null) return { tickets, total: body.Total }
    Cursor = body.NextCursor
  }
}

test('query-tickets without a filter: roots and children by page, in any order', async () => {
  await using server = await startServer()
  const { idProject, ann, tickets, project, organization } = await forest(server)
  const phaseOf = (state: number) => Object.values(project.states).indexOf(state) + 1
  // The project's own order of its states is neither that of their names nor that of their phases.
  const places = new Map([
    [project.states.done, 0],
    [project.states.open, 1],
    [project.states.doing, 2],
  ])
  for (const [id, position] of places)
    await server.db.updateTable('state').set({ position }).where('organization_id', '=', organization).where('id', '=', id).execute()
  const typeOf = (template: number) => (template === project.templates.bug ? 'bug' : 'task')
  type Ticket = (typeof tickets)[number]
  const compare = {
    ID: (a: Ticket, b: Ticket) => a.id - b.id,
    Type: (a: Ticket, b: Ticket) => typeOf(a.template).localeCompare(typeOf(b.template)),
    Phase: (a: Ticket, b: Ticket) => phaseOf(a.state) - phaseOf(b.state),
    State: (a: Ticket, b: Ticket) => Number(places.get(a.state)) - Number(places.get(b.state)),
  }
  const sorts: NonNullable<Request<typeof queryTickets>['Sort']>[] = [
    [],
    [{ Column: 'ID', Direction: 'asc' }],
    ...(['Type', 'Phase', 'State'] as const).flatMap(Column => (['asc', 'desc'] as const).map(Direction => [{ Column, Direction }])),
    [
      { Column: 'State', Direction: 'desc' },
      { Column: 'Type', Direction: 'asc' },
      { Column: 'ID', Direction: 'asc' },
    ],
    [
      { Column: 'Phase', Direction: 'asc' },
      { Column: 'Phase', Direction: 'desc' },
      { Column: 'Type', Direction: 'desc' },
    ],
  ]
  for (const Sort of sorts) {
    const sorted = (list: Ticket[]) =>
      list
        .toSorted((a, b) => {
          for (const { Column, Direction } of [...Sort, { Column: 'ID' as const, Direction: 'desc' as const }]) {
            const difference = compare[Column as keyof typeof compare](a, b)
            if (difference !== 0) return Direction === 'asc' ? difference : -difference
          }
          return 0
        })
        .map(({ id }) => id)
    for (const Limit of [7, 500]) {
      const roots = tickets.filter(({ parent }) => parent === null)
      const page = await allPages(server, ann, { idProject, Sort, Limit })
      expect(
        page.tickets.map(({ id }) => id),
        JSON.stringify(Sort),
      ).toEqual(sorted(roots))
      expect(page.total).toBe(roots.length)
      expect(page.tickets.every(ticket => ticket.Path === undefined)).toBe(true)
      const filtered = await allPages(server, ann, { idProject, Sort, Limit, Phases: [1, 3] })
      const matching = tickets.filter(({ state }) => phaseOf(state) !== 2)
      expect(
        filtered.tickets.map(({ id }) => id),
        JSON.stringify(Sort),
      ).toEqual(sorted(matching))
      expect(filtered.total).toBe(matching.length)
      const found = await allPages(server, ann, { idProject, Sort, Limit, Title: 'PLAIN' })
      const plain = tickets.filter(({ title }) => title.includes('plain'))
      expect(
        found.tickets.map(({ id }) => id),
        JSON.stringify(Sort),
      ).toEqual(sorted(plain))
      expect(found.total).toBe(plain.length)
      const idParent = tickets[0]?.id as number
      const children = await allPages(server, ann, { idProject, idParent, Sort, Limit })
      expect(children.tickets.map(({ id }) => id)).toEqual(sorted(tickets.filter(({ parent }) => parent === idParent)))
      expect(children.total).toBe(children.tickets.length)
    }
  }
})

test('query-tickets with filters: matches at every depth, each with its path', async () => {
  await using server = await startServer()
  const { idProject, ann, tickets, mine, project } = await forest(server)
  const byId = new Map(tickets.map(ticket => [ticket.id, ticket]))
  const pathOf = (id: number) => {
    const path: { id: number; Title: string }[] = []
    for (let parent = byId.get(id)?.parent; parent; parent = byId.get(parent)?.parent)
      path.unshift({ id: parent, Title: byId.get(parent)?.title ?? '' })
    return path
  }
  const ids = async (filter: Partial<Request<typeof queryTickets>>) => {
    const { tickets: found, total } = await allPages(server, ann, { idProject, Limit: 9, ...filter })
    expect(total).toBe(found.length)
    for (const ticket of found) expect(ticket.Path).toEqual(pathOf(ticket.id))
    return found.map(({ id }) => id)
  }
  const expected = (keep: (ticket: (typeof tickets)[number]) => boolean) =>
    tickets
      .filter(keep)
      .map(({ id }) => id)
      .reverse()
  const { done } = project.states
  const { task } = project.templates
  expect(await ids({ States: [done] })).toEqual(expected(({ state }) => state === done))
  expect(await ids({ States: [done], Phases: [1] })).toEqual([])
  expect(await ids({ Types: [task] })).toEqual(expected(({ template }) => template === task))
  expect(await ids({ Types: [task], States: [done], Phases: [3] })).toEqual(
    expected(({ template, state }) => template === task && state === done),
  )
  expect(await ids({ Mine: 1 })).toEqual(expected(({ id }) => mine.has(id)))
  expect(await ids({ Mine: 1, Phases: [3], Title: 'ticket' })).toEqual(expected(({ id, state }) => mine.has(id) && state === done))
  expect(await ids({ Title: '50%_OFF' })).toEqual(expected(({ title }) => title.includes('50%_off')))
  expect(await ids({ Title: '%' })).toEqual(expected(({ title }) => title.includes('%')))
  expect(await ids({ Subordinates: [3] })).toEqual(
    expected(({ id }) => tickets.some(({ parent, state }) => parent === id && state === done)),
  )
  const some = tickets[30]?.id as number
  expect(await ids({ Id: `apo-${some}` })).toEqual(expected(({ id }) => String(id).startsWith(String(some))))
  expect(await ids({ Id: String(some) })).toEqual(expected(({ id }) => String(id).includes(String(some))))
  expect(await ids({ Id: 'Po-' })).toEqual(expected(() => true))
  expect(await ids({ Id: 'nothing' })).toEqual([])
  // Below one ticket, at every depth.
  const [root, child, grandchild] = tickets.slice(0, 3).map(({ id }) => id) as [number, number, number]
  expect(await ids({ idParent: root, Title: 'ticket' })).toEqual([grandchild, child])
  // An empty filter is no filter.
  const empty = await server.as(ann, queryTickets, {
    idProject,
    Id: '',
    Title: '',
    Types: [],
    States: [],
    Phases: [],
    Subordinates: [],
    Mine: 0,
  })
  expect(empty.body.Total).toBe(20)
})

test('query-tickets: refusals, more than six sort columns among them [3.25]', async () => {
  await using server = await startServer()
  const { idProject, ann, stranger, project, elsewhere, someone } = await forest(server)
  await refusesStrangers(server, stranger, queryTickets, { idProject }, { idProject: none })
  const foreign = await makeProject(server.db, elsewhere)
  for (const filter of [
    { idParent: none },
    { Types: [project.templates.bug, foreign.templates.bug] },
    { Types: [none] },
    { States: [foreign.states.open] },
    { States: [none], Phases: [1 as const] },
  ]) {
    expect(await server.as(ann, queryTickets, { idProject, ...filter }), JSON.stringify(filter)).toMatchObject({ status: 404 })
  }
  const { body } = await server.as(ann, queryTickets, { idProject, Limit: 3, Sort: [{ Column: 'Type', Direction: 'asc' }] })
  for (const Cursor of ['x', 'bm90IGpzb24', Buffer.from('[]').toString('base64url'), body.NextCursor]) {
    expect(await server.as(ann, queryTickets, { idProject, Cursor })).toMatchObject({ status: 400, body: { fields: [{ path: 'Cursor' }] } })
  }
  const sixSlots = Array.from({ length: 6 }, () => ({ Column: 'ID' as const, Direction: 'asc' as const }))
  expect((await server.as(ann, queryTickets, { idProject, Sort: sixSlots })).status).toBe(200)
  for (const [wrong, path] of [
    [{ Limit: 501 }, 'Limit'],
    [{ Phases: [4] }, 'Phases.0'],
    [{ Mine: true }, 'Mine'],
    [{ Sort: [{ Column: 'Title', Direction: 'asc' }] }, 'Sort.0.Column'],
    [{ Sort: sixSlots.concat({ Column: 'ID', Direction: 'asc' }) }, 'Sort'],
  ] as const) {
    const refused = await server.as(ann, queryTickets, { idProject, ...wrong })
    expect(refused).toMatchObject({ status: 400, body: { fields: expect.arrayContaining([expect.objectContaining({ path })]) } })
  }
  const outsider = await someone([2, 3])
  expect((await server.as(outsider, queryTickets, { idProject })).status).toBe(404)
})
