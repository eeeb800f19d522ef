import { limits } from '@tessera/contract/limits'
import { allPermissions } from '@tessera/contract/permissions'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

// Each page that shows a ticket reads all of it, in a statement for which others wait.

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, project, someone } = made
  const idTicket = await makeTicket(server.db, organization, project)
  const caller = await someone(allPermissions)
  const save = (input: object) => server.as(caller, setTicketData, { idTicket, ...input })
  return { ...made, idTicket, caller, save }
}

test('the values of a ticket have a size that a save cannot exceed; a ticket that is larger already can be saved and made smaller', async () => {
  const { organization, project, idTicket, caller, save } = await setUp()
  for (const key of ['large', 'small']) await makeField(server.db, organization, project, key, 'TEXT')
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${organization}, ${idTicket}, id, repeat('x', ${limits.ticketValues - 2}) from field
    where organization_id = ${organization} and project_id = ${project.projectId} and key = 'large'`
  expect((await save({ data: { small: 'é' } })).status).toBe(200)
  expect(await save({ data: { small: 'éx' }, Title: 'Larger' })).toMatchObject({
    status: 422,
    body: { error: 'The values of a ticket may take at most 2 MB together' },
  })
  expect((await server.as(caller, getTicketData, { idTicket })).body.Title).not.toBe('Larger')
  await server.sql`update ticket_value set value = value || 'more'
    where organization_id = ${organization} and ticket_id = ${idTicket} and value like 'x%'`
  expect((await save({ data: { small: 'ee' } })).status).toBe(200)
  expect((await save({ data: { small: 'e' }, Title: 'Smaller' })).status).toBe(200)
})

test('a ticket cannot be created with values that a save would refuse as too large', async () => {
  const { organization, project, idProject, caller } = await setUp()
  const keys = Array.from({ length: 9 }, (_, n) => `text${n}`)
  for (const key of keys) await makeField(server.db, organization, project, key, 'TEXT')
  const create = (bytes: number) => {
    const data = Object.fromEntries(keys.map(key => [key, 'x'.repeat(bytes)]))
    return server.as(caller, createNewTicket, { idProject, idTemplate: project.templates.bug, Title: 'Large', data })
  }
  const error = 'The values of a ticket may take at most 2 MB together'
  expect(await create(limits.fieldValue)).toMatchObject({ status: 422, body: { error } })
  expect((await create(200 * 1024)).status).toBe(200)
})

test('a ticket has at most 500 assignees; one more is refused, another one instead is not', async () => {
  const { organization, project, caller, save } = await setUp()
  const roles = await server.sql<{ id: number }>`
    insert into role (organization_id, project_id, name, position)
    select ${organization}, ${project.projectId}, 'Role ' || n, n + 10 from generate_series(0, ${limits.assigneesPerTicket}::int) n returning id`
  const pairs = roles.map(({ id }) => ({ idUser: caller.idUser, idRole: id, Enabled: 1 as const }))
  const [one, ...others] = pairs as [(typeof pairs)[number], ...typeof pairs]
  expect((await save({ TicketAssign: others })).status).toBe(200)
  expect(await save({ TicketAssign: [one] })).toMatchObject({ status: 422, body: { error: 'A ticket has at most 500 assignees' } })
  expect((await save({ TicketAssign: [one, { ...others[0], Enabled: 0 }] })).status).toBe(200)
})

test('with many USER fields in a project, a ticket names the members as choices only if they are few', async () => {
  const { organization, project, idTicket, caller, someone } = await setUp()
  await someone([1])
  const choices = async () =>
    (await server.as(caller, getTicketData, { idTicket })).body.Fields.filter(({ Renderer }) => Renderer === 'USER').map(
      ({ FieldProps }) => FieldProps.length,
    )
  await makeField(server.db, organization, project, 'owner', 'USER')
  expect(await choices()).toEqual([2])
  await server.sql`
    insert into field (organization_id, project_id, key, label, type_id, position, options)
    select ${organization}, ${project.projectId}, 'user' || n, 'User', 8, 100 + n, '[]' from generate_series(1, 499) n`
  expect(await choices()).toEqual([2])
  await someone([1])
  expect(await choices()).toEqual([0])
})
