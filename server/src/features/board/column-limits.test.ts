import { allPermissions } from '@tessera/contract/permissions'
import { deleteTicketStates, getTicketStateList, restoreTicketStates, setTicketState } from '@tessera/contract/projects/project-config'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../test/servers/server.ts'

test('a state has a limit for its column, which is told and refuses nothing', async () => {
  await using server = await startServer()
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
