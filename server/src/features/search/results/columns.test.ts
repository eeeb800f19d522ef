import { setProjectData } from '@tessera/contract/projects/projects'
import { exportTickets, searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { makeField, makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('a search has the requested columns and can be sorted by any of them, across projects', async () => {
  const { organization, project, hidden, user, caller, make, search } = await searchWorld(server)
  const { db } = server
  const other = await makeProject(db, organization, { shortCode: 'DEV' })
  await makeMember(db, organization, other.projectId, user, 'all')
  for (const of of [project, other]) await makeField(db, organization, of, 'cost', 'NUMBER', { label: 'Cost' })
  await makeField(db, organization, hidden, 'cost', 'TEXT', { label: 'Cost' })
  const root = await make('boat root')
  const ten = await make('boat ten', { parentId: root })
  const nine = await makeTicket(db, organization, other, { title: 'boat nine', stateId: other.states.done })
  await makeTicket(db, organization, hidden, { title: 'boat hidden' })
  await server.as(caller, setTicketData, { idTicket: ten, data: { cost: '10', size: 'l', note: 'deep' } })
  await server.as(caller, setTicketData, {
    idTicket: nine,
    data: { cost: '9' },
    TicketAssign: [{ idUser: user, idRole: other.roles.assignee, Enabled: 1 }],
  })

  const Columns = ['cost', 'Parent', 'Assignees', 'Labels', 'Watched', 'Created']
  const { Tickets } = await search('boat sort:title', { Columns })
  expect(Tickets.map(({ id, idProject, Values }) => [id, idProject, Values])).toEqual([
    [
      nine,
      other.projectId,
      {
        cost: '9',
        Parent: null,
        Assignees: [{ idUser: user, Name: 'Ada Lovelace', Role: 'Assignee' }],
        Labels: [],
        Watched: 1,
        Created: expect.closeTo(Date.now() / 1000, -2),
      },
    ],
    [root, project.projectId, expect.objectContaining({ cost: '', Parent: null, Assignees: [], Watched: 0 })],
    [ten, project.projectId, expect.objectContaining({ cost: '10', Parent: { id: root, pcode: 'OPS', Title: 'boat root' } })],
  ])
  expect((await search('boat')).Tickets[0]).not.toHaveProperty('Values')

  const sorted = async (sort: string, more: object = {}) => {
    const Sort = sort.split(' ').map(slot => ({ Column: slot.replace('-', ''), Direction: slot.startsWith('-') ? 'desc' : 'asc' }))
    const whole = (await search('boat sort:title', { Sort, ...more })).Tickets.map(({ id }) => id)
    const paged: number[] = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const page = await search('boat sort:title', { Sort, Limit: 1, ...more, ...(Cursor && { Cursor }) })
      paged.push(...page.Tickets.map(({ id }) => id))
      Cursor = page.NextCursor
    }
    expect(paged).toEqual(whole)
    return whole
  }
  expect(await sorted('cost')).toEqual([nine, ten, root])
  expect(await sorted('-cost')).toEqual([ten, nine, root])
  expect(await sorted('Phase -ID')).toEqual([ten, root, nine])
  expect(await sorted('Phase ID')).toEqual([root, ten, nine])
  expect(await sorted('Assignees')).toEqual([nine, ten, root])
  expect(await sorted('Parent ID')).toEqual([ten, root, nine])
  expect(await sorted('size', { idProject: project.projectId })).toEqual([ten, root])
  // In one project, as the list.
  for (const Column of ['ID', 'Type', 'State', 'Updated', 'Watched', 'size', 'cost', 'note'] as const) {
    for (const Direction of ['asc', 'desc'] as const) {
      const given = { idProject: project.projectId, Query: 'boat', Sort: [{ Column, Direction }] }
      const [found, listed] = [await server.as(caller, searchTickets, given), await server.as(caller, queryTickets, given)]
      expect.soft([Column, found.body.Tickets?.map(({ id }) => id)]).toEqual([Column, listed.body.Tickets.map(({ id }) => id)])
    }
  }

  for (const [input, path] of [
    [{ Columns: ['cost', 'elsewhere'] }, 'Columns.1'],
    [{ Columns: ['State'] }, 'Columns.0'],
    [{ Sort: [{ Column: 'Cost', Direction: 'asc' }] }, 'Sort.0.Column'],
    [{ Columns: ['note'], idProject: other.projectId }, undefined],
  ] as const) {
    const refused = await server.as(caller, searchTickets, { Query: 'boat', ...(input as object) })
    if (path) expect(refused).toMatchObject({ status: 400, body: { fields: [expect.objectContaining({ path })] } })
    else expect(refused.status).toBe(200)
  }
})

test('sort: by an option or a person gives the same order in the search, the list and the export', async () => {
  const { organization, project, caller, user, make } = await searchWorld(server)
  const idProject = project.projectId
  const zoe = await makeUser(server.db, organization, { login: `a-${organization}`, fullName: 'Zoe' })
  await makeMember(server.db, organization, idProject, zoe, 'all')
  const ben = await makeUser(server.db, organization, { login: `b-${organization}`, fullName: 'Ben' })
  await makeMember(server.db, organization, idProject, ben, 'all')
  const options = ['urgent', 'high', 'low'].map(value => ({ value, label: value }))
  await makeField(server.db, organization, project, 'priority', 'SELECT', { label: 'Priority', options })
  await makeField(server.db, organization, project, 'contact', 'USER', { label: 'Contact' })
  for (const [priority, contact] of [
    ['low', zoe],
    ['urgent', ben],
    ['high', user],
    ['', ''],
  ] as const) {
    const idTicket = await make(`boat ${priority}`)
    const saved = await server.as(caller, setTicketData, { idTicket, data: { priority, contact: String(contact) } })
    expect(saved.status).toBe(200)
  }
  const boats = async (Query: string) => {
    const search = await server.as(caller, searchTickets, { Query, idProject })
    const list = await server.as(caller, queryTickets, { Query, idProject })
    const file = parse((await server.as(caller, exportTickets, { Query, idProject: String(idProject) })).body as unknown as string, {
      bom: true,
    })
    const orders = [search.body.Tickets.map(({ Title }) => Title), list.body.Tickets.map(({ Title }) => Title)]
    return [...orders, file.slice(1).map(row => row[4] as string)].map(titles => titles.map(title => title.slice(5)))
  }
  for (const [sort, order] of [
    ['priority', ['urgent', 'high', 'low', '']],
    ['-priority', ['low', 'high', 'urgent', '']],
    ['contact', ['high', 'urgent', 'low', '']],
    ['-contact', ['low', 'urgent', 'high', '']],
  ] as const)
    expect([sort, await boats(`boat sort:${sort}`)]).toEqual([sort, [order, order, order]])
})

test('a list, a search and an export have one order of types, and sort by a field with the key `due` though another one is the due date', async () => {
  const { organization, project, caller, make } = await searchWorld(server)
  const { projectId: idProject, templates } = project
  const names = [
    [templates.bug, 'Zebra'],
    [templates.task, 'Ärger'],
  ] as const
  for (const [id, name] of names)
    await server.sql`update template set name = ${name} where organization_id = ${organization} and id = ${id}`
  for (const key of ['due', 'ends']) await makeField(server.db, organization, project, key, 'DATE')
  await server.as(caller, setProjectData, { idProject, DueField: 'ends' })
  for (const [due, ends, idTemplate] of [
    ['2026-01-01', '2026-01-02', templates.bug],
    ['2026-01-02', '2026-01-01', templates.task],
  ] as const)
    await server.as(caller, setTicketData, { idTicket: await make(`due ${due}`), data: { due, ends }, idTemplate })
  const orders = async (input: { Query?: string; Sort?: { Column: string; Direction: 'asc' }[] }) => {
    const given = { idProject, Query: 'due', ...input }
    const Sort = input.Sort?.map(({ Column, Direction }) => `${Column}.${Direction}`).join() ?? ''
    const file = (await server.as(caller, exportTickets, { idProject: String(idProject), Query: given.Query, Sort }))
      .body as unknown as string
    return [
      (await server.as(caller, queryTickets, given)).body.Tickets?.map(({ Title }) => Title),
      (await server.as(caller, searchTickets, { ...given, Columns: ['due'] })).body.Tickets?.map(({ Title }) => Title),
      parse(file, { bom: true })
        .slice(1)
        .map(row => row[4]),
    ]
  }
  const [first, second] = ['due 2026-01-01', 'due 2026-01-02']
  expect(await orders({ Sort: [{ Column: 'due', Direction: 'asc' }] })).toEqual(Array(3).fill([first, second]))
  // An empty order is none.
  for (const none of [{}, { Sort: [] }]) expect(await orders({ Query: 'due sort:due', ...none })).toEqual(Array(3).fill([second, first]))
  for (const order of [{ Sort: [{ Column: 'Type', Direction: 'asc' as const }] }, { Query: 'due sort:type' }])
    expect(await orders(order)).toEqual(Array(3).fill([second, first]))
})

test('more than ten types of several projects are in the order of their names', async () => {
  const { organization, project, user, caller, search } = await searchWorld(server)
  const other = await makeProject(server.db, organization, { shortCode: 'DEV' })
  await makeMember(server.db, organization, other.projectId, user, 'all')
  const letters = [...'YWUSQOMKIGECXVB']
  for (const [index, letter] of letters.entries()) {
    const of = index < 12 ? project : other
    const [type] = await server.sql<{ id: number }>`
      insert into template (organization_id, project_id, name, entry_state_id, position)
      select organization_id, project_id, ${letter}, entry_state_id, ${100 + index} from template
      where organization_id = ${organization} and id = ${of.templates.bug} returning id`
    const ticket = await makeTicket(server.db, organization, of, { title: `boat ${letter}` })
    await server.sql`update ticket set template_id = ${type?.id} where organization_id = ${organization} and id = ${ticket}`
  }
  const { Tickets } = await search('boat', { Sort: [{ Column: 'Type', Direction: 'asc' }] })
  expect(Tickets.map(({ Title }) => Title.slice(5))).toEqual(letters.toSorted())
  const exported = await server.as(caller, exportTickets, { idProject: String(project.projectId), Query: '', Sort: 'Type.asc' })
  const rows = parse(exported.body as unknown as string, { bom: true }).slice(1)
  expect(rows.map(row => (row[4] as string).slice(5))).toEqual(letters.slice(0, 12).toSorted())
})
