import { allPermissions } from '@tessera/contract/permissions'
import { deleteTicketStates, getTicketStateList, restoreTicketStates, setTicketState } from '@tessera/contract/projects/project-config'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { expect, test } from 'vitest'
import { makeTicket, makeTickets } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('a state’s limit is shown on its column and refuses nothing unless it is enforced', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const board = async (input = {}) => (await server.as(caller, queryBoard, { idProject, Group: 'State', ...input })).body.Columns
  const { doing, open } = project.states
  const limits = async (input = {}) => (await board(input)).map(({ Label, Limit }) => [Label, Limit])
  const states = async () =>
    (await server.as(caller, getTicketStateList, { idProject })).body.map(({ Description, Limit }) => [Description, Limit])
  const without = [
    ['Open', undefined],
    ['Doing', undefined],
    ['Done', undefined],
  ]
  expect(await limits()).toEqual(without)
  await server.as(caller, setTicketState, { idProject, idState: doing, Limit: 1 })
  const set = [
    ['Open', undefined],
    ['Doing', 1],
    ['Done', undefined],
  ]
  expect([await limits(), await limits({ Query: 'is:open' }), await states()]).toEqual([set, set, set])
  for (const title of 'ab') {
    const idTicket = await makeTicket(server.db, organization, project, { title })
    expect((await server.as(caller, moveOnBoard, { idTicket, State: doing })).status).toBe(200)
  }
  expect((await board())[1]).toMatchObject({ Total: 2, Limit: 1 })

  // Deleting the state and restoring it keeps the limit, removing the limit is no deletion.
  await server.as(caller, deleteTicketStates, { idProject, ids: [doing], idReplacement: open })
  await server.as(caller, restoreTicketStates, { idProject, ids: [doing] })
  expect(await limits()).toEqual(set)
  await server.as(caller, setTicketState, { idProject, idState: doing, Limit: 0 })
  expect([await limits(), await states()]).toEqual([without, without])
  await server.as(caller, deleteTicketStates, { idProject, ids: [doing], idReplacement: open })
  await server.as(caller, restoreTicketStates, { idProject, ids: [doing] })
  expect(await limits()).toEqual(without)
  for (const Limit of [-1, 100_000, 1.5])
    expect((await server.as(caller, setTicketState, { idProject, idState: open, Limit })).status).toBe(400)
})

test('the more columns a board has, the fewer tickets of each are answered at first, and the rest of a column follows', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const made = await makeTickets(server.db, organization, project, 406, 'Ticket')
  const { states, fields } = project
  // 400 columns either way: six tickets more in the first one.
  await server.sql`
    insert into state (organization_id, project_id, name, phase, position)
    select ${organization}, ${idProject}, 'State ' || n, 1, 10 + n from generate_series(1, 397) n`
  await server.sql`
    update ticket t set state_id = s.id from (select id, row_number() over (order by id) as n from state
      where organization_id = ${organization} and project_id = ${idProject}) s
    where t.organization_id = ${organization} and t.id = ${made[0]} + s.n - 1 and s.id <> ${states.open}`
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${organization}, id, ${fields.size}, 'o' || id from ticket
    where organization_id = ${organization} and project_id = ${idProject} and id < ${made[0]}::bigint + 399`
  const filtered = { Query: 'phase:proposed,active,inactive' }
  for (const [input, Value] of [
    [{ Group: 'State' }, states.open],
    [{ Group: 'State', ...filtered }, states.open],
    [{ Group: 'size' }, ''],
    [{ Group: 'size', ...filtered }, ''],
  ] as const) {
    const board = async (more = {}) => {
      const { Columns } = (await server.as(caller, queryBoard, { idProject, ...input, Limit: 200, ...more })).body
      const column = Columns.find(one => one.Value === Value)
      return { ids: column?.Tickets.map(({ id }) => id) ?? [], Cursor: column?.NextCursor ?? undefined }
    }
    const first = await board()
    expect([input, first.ids.length]).toEqual([input, 5])
    const rest = await board({ Value, Cursor: first.Cursor })
    expect([input, new Set([...first.ids, ...rest.ids]).size, rest.Cursor]).toEqual([input, 7, undefined])
    expect((await board({ Value })).ids).toEqual([...first.ids, ...rest.ids])
  }
})
