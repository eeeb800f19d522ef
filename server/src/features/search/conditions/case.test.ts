import { allPermissions } from '@tessera/contract/permissions'
import { searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('keys of fields match without regard to case, except where a project has both forms', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const admin = await someone(allPermissions, { admin: true })
  const other = await makeProject(server.db, organization)
  const field = (of: typeof project, key: string) => makeField(server.db, organization, of, key, 'NUMBER')
  const [small, large, single] = [await field(project, 'pts'), await field(project, 'PTS'), await field(other, 'Pts')]
  const ticket = async (of: typeof project, values: [number, string][]) => {
    const ticket_id = await makeTicket(server.db, organization, of)
    for (const [field_id, value] of values)
      await server.sql`
        insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${ticket_id}, ${field_id}, ${value})`
    return ticket_id
  }
  const first = await ticket(project, [
    [small, '1'],
    [large, '9'],
  ])
  const second = await ticket(project, [
    [small, '9'],
    [large, '1'],
  ])
  const elsewhere = await ticket(other, [[single, '7']])

  const listed = async (Query: string) => (await server.as(admin, queryTickets, { idProject, Query })).body.Tickets.map(({ id }) => id)
  const found = async (Query: string) =>
    (await server.as(admin, searchTickets, { Query, Limit: 10 })).body.Tickets.map(({ id }) => id).sort()
  expect(await listed('pts:>5')).toEqual([second])
  expect(await listed('PTS:>5')).toEqual([first])
  expect((await listed('Pts:>5')).sort()).toEqual([first, second])
  expect(await listed('sort:pts')).toEqual([first, second])
  expect(await listed('sort:PTS')).toEqual([second, first])
  expect(await found('pts:>5')).toEqual([second, elsewhere])
  expect(await found('PTS:>5')).toEqual([first, elsewhere])
})

test('fields, options and ticket codes of one project find nothing in another', async () => {
  const { organization, project, someone } = await peopledProject(server, { shortCode: 'ONE' })
  const admin = await someone(allPermissions, { admin: true })
  const other = await makeProject(server.db, organization, { shortCode: 'TWO' })
  const options = (label: string) => ({ options: [{ value: '1', label }] })
  const done = await makeField(server.db, organization, project, 'done', 'CHECKBOX')
  const ids: number[] = []
  for (const [of, color] of [
    [project, 'Red'],
    [other, 'Blue'],
  ] as const) {
    const ticket_id = await makeTicket(server.db, organization, of)
    const [kind, tags] = [
      await makeField(server.db, organization, of, 'kind', 'SELECT', options(color)),
      await makeField(server.db, organization, of, 'tags', 'MULTISELECT', options(color)),
    ]
    await server.sql`
      insert into ticket_value (organization_id, ticket_id, field_id, value)
      values (${organization}, ${ticket_id}, ${kind}, '1'), (${organization}, ${ticket_id}, ${tags}, '["1"]')`
    ids.push(ticket_id, await makeTicket(server.db, organization, of, { parentId: ticket_id }))
  }
  const [red, belowRed, blue, belowBlue] = ids as [number, number, number, number]
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    values (${organization}, ${red}, ${done}, '1'), (${organization}, ${belowRed}, ${project.fields.note}, 'A text')`
  for (const [Query, expected] of [
    ['done:yes', [red]],
    ['done:no', [belowRed]],
    ['kind:red', [red]],
    ['kind:blue', [blue]],
    ['tags:red', [red]],
    ['tags:blue', [blue]],
    ['text:none', [red, blue, belowBlue]],
    [`id:ONE-${red}`, [red]],
    [`id:ONE-${blue}`, []],
    [`parent:ONE-${red}`, [belowRed]],
    [`parent:ONE-${blue}`, []],
    [`parent:${blue}`, [belowBlue]],
  ] as const) {
    const { Tickets } = (await server.as(admin, searchTickets, { Query: `${Query} sort:id` })).body
    expect([Query, Tickets.map(({ id }) => id)]).toEqual([Query, expected])
  }
})

test('numbers are compared and sorted whatever their size', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone(allPermissions)
  await makeField(server.db, organization, project, 'cost', 'NUMBER')
  const ids: number[] = []
  for (const cost of ['-2e200', '1e-120', '9007199254740992', '9007199254740993', '1E100', `0.${'1'.repeat(20_000)}`]) {
    const idTicket = await makeTicket(server.db, organization, project)
    expect((await server.as(ann, setTicketData, { idTicket, data: { cost } })).status).toBe(200)
    ids.push(idTicket)
  }
  const listed = async (Query: string) =>
    (await server.as(ann, queryTickets, { idProject, Query })).body.Tickets?.map(({ id }) => ids.indexOf(id))
  // What has more than a thousand characters is nobody's number, but must not stop the others.
  expect(await listed('sort:cost')).toEqual([0, 1, 2, 3, 4, 5])
  expect(await listed('cost:>1e99')).toEqual([4])
  expect(await listed('cost:0..1')).toEqual([1])
  expect(await listed('cost:<0')).toEqual([0])
  expect(await listed('cost:9007199254740993')).toEqual([3])
})

test('of several options each is found by itself, however the list is written', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone(allPermissions)
  const options = ['x', 'y', ',', 'É', 'a "b'].map(value => ({ value, label: value }))
  await makeField(server.db, organization, project, 'tags', 'MULTISELECT', { options })
  const lists = ['["x","y"]', '["y", ","]', '["\\u00c9"]', '["a \\"b"]']
  const ids: number[] = []
  for (const tags of lists) {
    ids.push(await makeTicket(server.db, organization, project))
    expect((await server.as(ann, setTicketData, { idTicket: ids.at(-1), data: { tags } })).status).toBe(200)
  }
  for (const [option, expected] of [
    ['y', [0, 1]],
    ['","', [1]],
    ['É', [2]],
    ['"a \\"b"', [3]],
  ] as const) {
    const found = (await server.as(ann, queryTickets, { idProject, Query: `tags:${option} sort:id` })).body.Tickets
    expect([option, found.map(({ id }) => ids.indexOf(id))]).toEqual([option, expected])
  }
})

test('a field with many options is searched quickly, also before the database has statistics', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone(allPermissions)
  const { templates, states, fields } = project
  const options = Array.from({ length: 60 }, (_, n) => ({ value: `v${n}`, label: `Option ${n}` }))
  await server.sql`
    update field set options = ${JSON.stringify(options)}::jsonb where organization_id = ${organization} and id = ${fields.size}`
  await server.sql`
    with made as (
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${organization}, ${idProject}, ${templates.bug}, ${states.open}, 'Part ' || n from generate_series(1, 120) n returning id
    )
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${organization}, id, ${fields.size}, 'v' || id % 60 from made`
  expect((await server.as(ann, searchTickets, { Query: 'size:"option 7" sort:id' })).body.Total).toBe(2)
})
