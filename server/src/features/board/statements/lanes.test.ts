import type { Request } from '@tessera/contract/call'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { deleteLabels, setLabel } from '@tessera/contract/projects/labels'
import { removeProjectMember } from '@tessera/contract/projects/projects'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

type Input = Omit<Request<typeof queryBoard>, 'idProject'>

async function setUp(titles: string) {
  const made = await peopledProject(server)
  const { organization, project, idProject, someone } = made
  const ada = await someone(allPermissions, { fullName: 'Ada', admin: true })
  const bob = await someone(allPermissions, { fullName: 'bob' })
  const tickets: Record<string, number> = {}
  for (const title of titles) tickets[title] = await makeTicket(server.db, organization, project, { title })
  const assign = (title: string, ...people: number[]) =>
    server.as(ada, moveOnBoard, {
      idTicket: tickets[title] as number,
      TicketAssign: people.flatMap(idUser =>
        [project.roles.assignee, project.roles.reviewer].map(idRole => ({ idUser, idRole, Enabled: 1 as const })),
      ),
    })
  const mark = (title: string, ...labels: number[]) =>
    server.as(ada, moveOnBoard, { idTicket: tickets[title] as number, Labels: labels.map(idLabel => ({ idLabel, Enabled: 1 as const })) })
  const makeLabel = async (Label: string, more: object = {}) =>
    (await server.as(ada, setLabel, { idProject, Label, ...more })).body.idLabel as number
  const ask = async (input: Input) => (await server.as(ada, queryBoard, { idProject, ...input })).body
  /** The titles of each column in each lane, by the names of the columns and the ids of the lanes. */
  const cells = async (input: Input) =>
    Object.fromEntries(
      (await ask(input)).Columns.map(({ Label, Tickets, Total }) => [
        Label,
        [Total, ...Map.groupBy(Tickets, ({ Lane }) => Lane)].map(one =>
          Array.isArray(one) ? `${one[0]} ${one[1].map(({ Title }) => Title).join('')}` : one,
        ),
      ]),
    )
  /** The cards of a column, read page by page. */
  const pages = async (input: Input, size: number) => {
    const cards = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const [column] = (await ask({ ...input, Limit: size, ...(Cursor && { Cursor }) })).Columns
      expect(column?.Tickets.length).toBeLessThanOrEqual(size)
      for (const { Title, Lane } of column?.Tickets ?? []) cards.push(`${Title} ${Lane}`)
      Cursor = column?.NextCursor ?? null
    }
    return cards
  }
  return { ...made, ada, bob, tickets, assign, mark, makeLabel, ask, cells, pages }
}

test('lanes by assignee have a ticket once for each of its people, by their names, and tickets of nobody last', async () => {
  const { organization, project, idProject, someone, foreigner, ada, bob, tickets, assign, ask, cells, pages } = await setUp('abcdef')
  const cara = await someone(allPermissions, { fullName: 'Cara' })
  await assign('a', bob.idUser, ada.idUser)
  await assign('b', bob.idUser)
  await assign('c', cara.idUser)
  await assign('d', cara.idUser, ada.idUser)
  await server.as(ada, moveOnBoard, { idTicket: tickets.d as number, State: project.states.doing, After: null })
  const lanes = { Group: 'State', Lanes: 'Assignee' } as const
  const [inAda, inBob, inCara] = [ada.idUser, bob.idUser, cara.idUser]
  expect(await cells(lanes)).toEqual({
    Open: [5, `${inAda} a`, `${inBob} ba`, `${inCara} c`, 'null fe'],
    Doing: [1, `${inAda} d`, `${inCara} d`],
    Done: [0],
  })
  expect((await ask(lanes)).Lanes).toEqual([inAda, inBob, inCara, null])

  // Each page size ends at other places: within a lane, between two, and among the tickets of nobody.
  const all = [`a ${inAda}`, `b ${inBob}`, `a ${inBob}`, `c ${inCara}`, 'f null', 'e null']
  for (const size of [1, 2, 3, 4, 6]) expect(await pages({ ...lanes, Value: project.states.open }, size)).toEqual(all)
  // Somebody gets another name, or leaves, between two pages: nothing is left out.
  const [first] = (await ask({ ...lanes, Value: project.states.open, Limit: 2 })).Columns
  await server.sql`update user_account set full_name = 'Zoe' where id = ${inAda}`
  const next = { ...lanes, Value: project.states.open, Cursor: first?.NextCursor as string }
  expect((await ask(next)).Columns[0]?.Tickets.map(({ Title, Lane }) => `${Title} ${Lane}`)).toEqual([
    `a ${inBob}`,
    `c ${inCara}`,
    `a ${inAda}`,
    'f null',
    'e null',
  ])
  await server.sql`update user_account set full_name = 'Ada' where id = ${inAda}`

  expect(await cells({ ...lanes, Title: 'a' })).toMatchObject({ Open: [1, `${inAda} a`, `${inBob} a`], Doing: [0] })
  expect((await ask({ ...lanes, Title: 'a' })).Lanes).toEqual([inAda, inBob])
  expect((await ask({ ...lanes, Query: 'assignee:none' })).Lanes).toEqual([null])
  expect(await cells({ Group: 'size', Lanes: 'Assignee', Mine: 1 })).toMatchObject({
    '': [2, `${inAda} da`, `${inBob} a`, `${inCara} d`],
  })
  await server.as(ada, moveOnBoard, { idTicket: tickets.a as number, After: null })
  const places = async (...Tickets: (number | undefined)[]) =>
    (await ask({ ...lanes, Tickets: Tickets as number[] })).Columns[0]?.Tickets.map(({ Title, Lane, After, AfterLane }) => [
      Title,
      Lane,
      After,
      AfterLane,
    ])
  expect(await places(tickets.a, tickets.f)).toEqual([
    ['a', inAda, null, null],
    ['a', inBob, tickets.a, inAda],
    ['f', null, tickets.c, inCara],
  ])

  // What is in the trash, and what another project has, is in no lane. A removed member has none.
  const other = await makeProject(server.db, organization)
  const elsewhere = await makeTicket(server.db, organization, other)
  await makeMember(server.db, organization, other.projectId, bob.idUser, 'all')
  await server.sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    values (${organization}, ${other.projectId}, ${elsewhere}, ${bob.idUser}, ${other.roles.assignee})`
  await server.as(ada, trashTicket, { idTicket: tickets.b as number })
  await server.as(ada, removeProjectMember, { idProject, idProjectMember: cara.idProjectMember })
  expect(await cells(lanes)).toEqual({ Open: [4, `${inAda} a`, `${inBob} a`, 'null fec'], Doing: [1, `${inAda} d`], Done: [0] })

  // A cursor that names a stranger does not tell where their name would be.
  const stranger = Buffer.from(JSON.stringify(['board', foreigner.idUser, '-1', 1])).toString('base64url')
  await server.sql`update user_account set full_name = 'Zz' where id = ${foreigner.idUser}`
  const [column] = (await ask({ ...lanes, Value: project.states.open, Cursor: stranger })).Columns
  expect(column?.Tickets[0]?.Lane).toBe(inAda)

  const refused = await server.as(ada, queryBoard, { idProject, Group: 'Assignee', Lanes: 'Assignee' })
  expect(refused).toMatchObject({ status: 400, body: { fields: [{ path: 'Lanes' }] } })
})

test('lanes by label have the labels of the project and of the organization by name; a move to another lane changes the labels', async () => {
  const { organization, project, idProject, someone, ada, bob, tickets, assign, mark, makeLabel, ask, cells, pages } = await setUp('abcd')
  const [urgent, backend] = [await makeLabel('urgent'), await makeLabel('Backend')]
  const shared = await makeLabel('urgent', { Scope: 'organization' })
  await mark('a', urgent, backend)
  await mark('b', urgent, shared)
  await mark('c', backend)
  await assign('a', ada.idUser, bob.idUser)
  const lanes = { Group: 'State', Lanes: 'Label' } as const
  const open = { ...lanes, Value: project.states.open }
  expect((await ask(lanes)).Lanes).toEqual([backend, urgent, shared, null])
  expect(await cells(lanes)).toMatchObject({ Open: [4, `${backend} ca`, `${urgent} ba`, `${shared} b`, 'null d'] })
  const all = [`c ${backend}`, `a ${backend}`, `b ${urgent}`, `a ${urgent}`, `b ${shared}`, 'd null']
  for (const size of [1, 2, 3, 5]) expect(await pages(open, size)).toEqual(all)
  expect(await cells({ Group: 'Assignee', Lanes: 'Label' })).toEqual({
    '': [3, `${backend} c`, `${urgent} b`, `${shared} b`, 'null d'],
    Ada: [1, `${backend} a`, `${urgent} a`],
    bob: [1, `${backend} a`, `${urgent} a`],
  })
  expect(await cells({ ...lanes, Labels: [shared] })).toMatchObject({ Open: [1, `${urgent} b`, `${shared} b`] })

  // From the lane of one label to that of another, behind a ticket of it.
  const swap = [
    { idLabel: backend, Enabled: 0 },
    { idLabel: shared, Enabled: 1 },
  ] as const
  const move = { idTicket: tickets.a as number, Labels: [...swap], After: tickets.b as number }
  const viewer = await someone(allBut(permission.editTickets))
  expect(await server.as(viewer, moveOnBoard, move)).toMatchObject({ status: 422, body: { needs: 'Edit tickets' } })
  expect((await server.as(ada, moveOnBoard, move)).status).toBe(200)
  expect(await cells(lanes)).toMatchObject({ Open: [4, `${backend} c`, `${urgent} ba`, `${shared} ba`, 'null d'] })

  // The label of the last ticket of a page is deleted: the next page leaves out nothing that is still there.
  const [first] = (await ask({ ...open, Limit: 2 })).Columns
  expect(first?.Tickets.at(-1)?.Lane).toBe(urgent)
  await server.as(ada, deleteLabels, { idProject, ids: [urgent] })
  const [second] = (await ask({ ...open, Cursor: first?.NextCursor as string })).Columns
  expect(second?.Tickets.map(({ Title, Lane }) => `${Title} ${Lane}`)).toEqual([`c ${backend}`, `b ${shared}`, `a ${shared}`, 'd null'])
  expect((await ask(lanes)).Lanes).toEqual([backend, shared, null])
  const other = await makeProject(server.db, organization)
  const [hidden] = await server.sql<{ id: number }>`
    insert into label (organization_id, project_id, name, color) values (${organization}, ${other.projectId}, 'zz', '#607d8b') returning id::int as id`
  const fromHidden = Buffer.from(JSON.stringify(['board', hidden?.id, '-1', 1])).toString('base64url')
  expect((await ask({ ...open, Cursor: fromHidden })).Columns[0]?.Tickets[0]?.Lane).toBe(backend)
  for (const lane of ['Infinity', '5', 0, -1, [1]]) {
    const Cursor = Buffer.from(JSON.stringify(['board', lane, '-1', 1])).toString('base64url')
    expect((await server.as(ada, queryBoard, { idProject, ...open, Cursor })).status, String(lane)).toBe(400)
  }
})

test('lanes by assignee and by label have the same cards as the people and labels of all tickets say, for a hundred lanes', async () => {
  const { organization, project, idProject, ada, ask } = await setUp('')
  const made: number[] = []
  for (let n = 0; n < 40; n++) made.push(await makeTicket(server.db, organization, project))
  // Ticket n has the labels and people m with n % (m + 2) = 0, so that some have many and others none.
  await server.sql`
    with people as (insert into user_account (login) select 'lane-' || n from generate_series(0, 99) n returning id),
      labels as (insert into label (organization_id, project_id, name, color)
        select ${organization}, ${idProject}, 'lane ' || n, '#607d8b' from generate_series(0, 99) n returning id),
      joined as (insert into organization_member (organization_id, user_id) select ${organization}, id from people returning user_id),
      members as (insert into project_member (organization_id, project_id, user_id) select ${organization}, ${idProject}, user_id from joined)
    select count(*) from labels`
  await server.sql`
    insert into ticket_label (organization_id, ticket_id, label_id)
    select ${organization}, t.id, l.id from unnest(${made}::bigint[]) with ordinality t (id, n),
      (select id, row_number() over (order by id) as m from label where organization_id = ${organization}) l
    where t.n % (l.m + 1) = 0 and l.m < 40 or t.n = 40 and l.m > 36`
  await server.sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${organization}, ${idProject}, t.id, p.user_id, ${project.roles.assignee} from unnest(${made}::bigint[]) with ordinality t (id, n),
      (select user_id, row_number() over (order by user_id) as m from project_member where organization_id = ${organization}) p
    where t.n % (p.m + 1) = 0 and p.m < 40 or t.n = 40 and p.m > 36`
  const stored = {
    Assignee: await server.sql<{ ticket: number; lane: number }>`
      select ticket_id::int as ticket, user_id::int as lane from assignment where organization_id = ${organization}`,
    Label: await server.sql<{ ticket: number; lane: number }>`
      select ticket_id::int as ticket, label_id::int as lane from ticket_label where organization_id = ${organization}`,
  }
  for (const Lanes of ['Assignee', 'Label'] as const) {
    const lanes = (await ask({ Group: 'State', Lanes })).Lanes ?? []
    const held = new Map(made.map(id => [id, stored[Lanes].filter(({ ticket }) => ticket === id).map(({ lane }) => lane)]))
    expect(lanes.length).toBeGreaterThan(64)
    const expected = lanes.flatMap(lane =>
      made
        .filter(id => (lane === null ? held.get(id)?.length === 0 : held.get(id)?.includes(lane)))
        .toReversed()
        .map(id => `${id} ${lane}`),
    )
    const read: string[] = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const input = { idProject, Group: 'State', Lanes, Value: project.states.open, Limit: 30, ...(Cursor && { Cursor }) }
      const [column] = (await server.as(ada, queryBoard, input)).body.Columns
      read.push(...(column?.Tickets ?? []).map(({ id, Lane }) => `${id} ${Lane}`))
      Cursor = column?.NextCursor ?? null
    }
    expect(read).toEqual(expected)
  }
})
