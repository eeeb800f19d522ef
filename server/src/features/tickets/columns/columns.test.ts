import { allPermissions } from '@tessera/contract/permissions'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { executeUnlimited, startServer, type TestServer } from '../../../../test/servers/server.ts'

async function setUp(server: TestServer) {
  const made = await peopledProject(server, { shortCode: 'COL' })
  const { organization, project, idProject, someone } = made
  const caller = await someone(allPermissions, { login: 'zoe', fullName: 'Zoe' })
  const ann = await someone([1], { login: 'ann', fullName: 'Ann' })
  await makeField(server.db, organization, project, 'days', 'NUMBER')
  await makeField(server.db, organization, project, 'due', 'DATE')
  await makeField(server.db, organization, project, 'helper', 'USER')
  const [label] = await server.sql<{ id: number }>`
    insert into label (organization_id, project_id, name, color) values (${organization}, ${idProject}, 'Bug', '#aa0000') returning id`
  const ticket = (title: string, parentId?: number) =>
    makeTicket(server.db, organization, project, { title, ...(parentId && { parentId }) })
  return {
    ...made,
    caller,
    ann,
    idLabel: label?.id as number,
    ticket,
    set: (idTicket: number, data: Record<string, string>) => server.as(caller, setTicketData, { idTicket, data }),
    query: async (input: object) => (await server.as(caller, queryTickets, { idProject, ...input })).body,
  }
}

test('a list has the requested columns, whichever call reads it', async () => {
  await using server = await startServer()
  const { caller, ann, project, idLabel, ticket, set, query } = await setUp(server)
  const root = await ticket('Root')
  const child = await ticket('Child', root)
  await set(child, { days: '2.5', note: 'x'.repeat(500), helper: String(ann.idUser) })
  await server.as(caller, setTicketData, {
    idTicket: child,
    Labels: [{ idLabel, Enabled: 1 }],
    TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 1 }],
  })
  await server.as(caller, setTicketNotification, { idTicket: child, Notify: 1 })
  const Columns = ['Assignees', 'Labels', 'Created', 'Updated', 'Parent', 'Watched', 'days', 'note', 'helper']
  const ways = [
    { idParent: root },
    { Title: 'Child' },
    { States: [project.states.open], Title: 'Child' },
    { Phases: [1], Sort: [{ Column: 'State', Direction: 'asc' }] },
    { Sort: [{ Column: 'days', Direction: 'asc' }], Title: 'Child' },
  ]
  for (const way of ways) {
    const row = (await query({ ...way, Columns })).Tickets.find(({ id }) => id === child)
    expect(row?.Values, JSON.stringify(way)).toEqual({
      Assignees: [{ idUser: ann.idUser, Name: 'Ann', Role: 'Assignee' }],
      Labels: row?.Labels,
      Created: expect.closeTo(Date.now() / 1000, -2),
      Updated: expect.closeTo(Date.now() / 1000, -2),
      Parent: { id: root, pcode: 'COL', Title: 'Root' },
      Watched: 1,
      days: '2.5',
      note: 'x'.repeat(200),
      helper: String(ann.idUser),
    })
  }
  // Columns for which the ticket has no value.
  expect((await query({ Columns: ['Assignees', 'Labels', 'Parent', 'Watched', 'days'] })).Tickets[0]?.Values).toEqual({
    Assignees: [],
    Labels: [],
    Parent: null,
    Watched: 0,
    days: '',
  })
  expect((await query({})).Tickets[0]).not.toHaveProperty('Values')
})

test('a list is ordered by any column, page by page; what has no value comes last', async () => {
  await using server = await startServer()
  const { organization, idProject, caller, ann, project, idLabel, ticket, set, query } = await setUp(server)
  const [a, b, c, d] = [await ticket('A'), await ticket('B'), await ticket('C'), await ticket('D')]
  for (const [id, days, size] of [
    [a, '10', 'l'],
    [b, '9', 's'],
    [c, '10', 's'],
  ] as const)
    expect((await set(id, { days, size })).status).toBe(200)
  await set(d, { helper: String(ann.idUser) })
  await set(b, { helper: String(caller.idUser) })
  await server.as(caller, setTicketData, {
    idTicket: c,
    Labels: [{ idLabel, Enabled: 1 }],
    TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 1 }],
    State: project.states.doing,
  })
  await server.sql`update ticket set created_at = now() - interval '3 days' where organization_id = ${organization} and id = ${d}`
  await server.as(caller, setTicketComment, { idTicket: a, Comment: 'The last change' })

  type Slot = [string, 'asc' | 'desc']
  const ordered = async (slots: Slot[], input: object = {}) => {
    const Sort = slots.map(([Column, Direction]) => ({ Column, Direction }))
    const whole = (await query({ Sort, ...input })).Tickets.map(({ id }) => id)
    for (const Limit of [1, 2, 3]) {
      const paged: number[] = []
      let Cursor: string | undefined
      do {
        const page = await query({ Sort, Limit, ...input, ...(Cursor && { Cursor }) })
        expect(page.Total).toBe(whole.length)
        paged.push(...page.Tickets.map(({ id }) => id))
        Cursor = page.NextCursor ?? undefined
      } while (Cursor)
      expect(paged, `${JSON.stringify(slots)} by ${Limit}`).toEqual(whole)
    }
    return whole
  }
  expect(await ordered([['days', 'asc']])).toEqual([b, c, a, d])
  expect(await ordered([['days', 'desc']])).toEqual([c, a, b, d])
  expect(
    await ordered([
      ['days', 'desc'],
      ['ID', 'asc'],
    ]),
  ).toEqual([a, c, b, d])
  // Small, Large: the order of the options, not of the letters.
  expect(
    await ordered([
      ['size', 'asc'],
      ['days', 'asc'],
    ]),
  ).toEqual([b, c, a, d])
  expect(await ordered([['helper', 'asc']])).toEqual([d, b, c, a])
  expect((await ordered([['Created', 'asc']]))[0]).toBe(d)
  expect((await ordered([['Updated', 'desc']]))[0]).toBe(a)
  expect((await ordered([['Assignees', 'asc']]))[0]).toBe(c)
  expect((await ordered([['Labels', 'desc']]))[0]).toBe(c)
  // Nothing counts after the ID.
  for (const slot of ['Created', 'days']) {
    const slots: Slot[] = [
      ['ID', 'asc'],
      [slot, 'desc'],
    ]
    expect([slot, await ordered(slots), await ordered(slots, { Phases: [1, 2] })]).toEqual([slot, [a, b, c, d], [a, b, c, d]])
  }
  expect(
    await ordered([
      ['State', 'desc'],
      ['days', 'asc'],
    ]),
  ).toEqual([c, b, a, d])
  expect(await ordered([['days', 'asc']], { Title: 'a' })).toEqual([a])

  // Many tickets by their last change: times are not in the order of the ids, many are equal, and some tickets have no history.
  await executeUnlimited(
    server,
    sql`
    insert into ticket (organization_id, project_id, template_id, state_id, title, created_at)
    select organization_id, project_id, template_id, state_id, 'Many', now() - n % 97 * interval '1 hour'
    from ticket, generate_series(1, 2500) n where organization_id = ${organization} and id = ${a}`,
  )
  await executeUnlimited(
    server,
    sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, changed_at)
    select t.organization_id, t.id, 'ticket', t.id, t.project_id, t.id, 'Title', now() - (t.id * 7919 + n * 104729) % 4999 / 3 * interval '1 minute'
    from ticket t, generate_series(1, 2) n where t.organization_id = ${organization} and t.title = 'Many' and t.id % 7 > 0`,
  )
  const rows = await server.sql<{ id: number }>`
    select id from ticket t where organization_id = ${organization} order by coalesce((
      select changed_at from change c where c.organization_id = ${organization} and c.ticket_id = t.id order by c.id desc limit 1), created_at) desc, id desc`
  const byChange = rows.map(({ id }) => id)
  for (const call of [queryTickets, searchTickets]) {
    const paged: number[] = []
    let Cursor: string | undefined
    do {
      const input = { idProject, Query: 'is:root sort:-updated', Limit: paged.length < 1500 ? 100 : 500, ...(Cursor && { Cursor }) }
      const { body } = await server.as(caller, call, input)
      paged.push(...body.Tickets.map(({ id }) => id))
      Cursor = body.NextCursor ?? undefined
    } while (Cursor)
    expect(paged, call.path).toEqual(byChange)
  }
})

test('a list that is ordered by long texts has a next page', async () => {
  await using server = await startServer()
  const { organization, project, ticket, set, query } = await setUp(server)
  const keys = ['one', 'two', 'three', 'four', 'five']
  for (const key of keys) await makeField(server.db, organization, project, key, 'TEXT')
  const ids = [await ticket('A'), await ticket('B')]
  // Four bytes each.
  for (const id of ids) await set(id, Object.fromEntries(keys.map(key => [key, '\u{1f600}'.repeat(300)])))
  const Sort = [...keys, 'ID'].map(Column => ({ Column, Direction: 'asc' as const }))
  const { NextCursor } = await query({ Sort, Limit: 1 })
  expect((await query({ Sort, Limit: 1, Cursor: NextCursor })).Tickets).toMatchObject([{ id: ids[1] }])
})

test('an unknown column is refused, and so is a cursor of another order', async () => {
  await using server = await startServer()
  const { organization, idProject, caller, ticket, query } = await setUp(server)
  await ticket('A')
  await ticket('B')
  const other = await makeProject(server.db, organization)
  await makeField(server.db, organization, other, 'elsewhere', 'TEXT')
  const sorted = (Column: string) => ({ Sort: [{ Column, Direction: 'asc' as const }] })
  for (const filter of [{}, { Phases: [1 as const] }, { Title: 'A' }]) {
    for (const [input, path] of [
      [{ Columns: ['days', 'nothing'] }, 'Columns.1'],
      [{ Columns: ['elsewhere'] }, 'Columns.0'],
      [{ Columns: ['State'] }, 'Columns.0'],
      [sorted('elsewhere'), 'Sort.0.Column'],
      [sorted('Title'), 'Sort.0.Column'],
      [{ Sort: [{ Column: 'ID', Direction: 'asc' }, ...sorted('elsewhere').Sort] }, 'Sort.1.Column'],
      [{ Columns: ['Title'] }, 'Columns.0'],
      [{ Columns: ['a b'] }, 'Columns.0'],
    ] as const) {
      const refused = await server.as(caller, queryTickets, { idProject, ...filter, ...input })
      expect(refused, JSON.stringify(input)).toMatchObject({
        status: 400,
        body: { fields: expect.arrayContaining([expect.objectContaining({ path })]) },
      })
    }
  }
  const { NextCursor } = await query({ ...sorted('days'), Limit: 1 })
  for (const Cursor of [NextCursor, 'x', Buffer.from('["columns,due.asc,ID.desc",[7],1]').toString('base64url')]) {
    expect(await server.as(caller, queryTickets, { idProject, ...sorted('due'), Cursor: Cursor as string })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'Cursor' }] },
    })
  }
  // A value that the column cannot have: the type of the field may have changed between two pages.
  for (const [Column, value, status] of [
    ['days', '7', 200],
    ['days', 'x', 400],
    ['Created', '2026-01-01', 400],
    ['Parent', '9'.repeat(19), 400],
    ['State', 'x', 400],
  ] as const) {
    const spec = `columns,${Column}.asc,Updated.asc,ID.desc`
    const Cursor = Buffer.from(JSON.stringify([spec, [value, '1'], 1])).toString('base64url')
    const Sort = [...sorted(Column).Sort, ...sorted('Updated').Sort]
    const answer = await server.as(caller, queryTickets, { idProject, Sort, Phases: [1], Cursor })
    expect([Column, value, answer.status]).toEqual([Column, value, status])
    if (status === 400) expect(answer.body).toMatchObject({ fields: [{ path: 'Cursor' }] })
  }
})
