import {
  createNewState,
  deleteTicketStates,
  getStateTransitions,
  restoreTicketStates,
  setStateTransitions,
  setTicketState,
  setTicketStateOrder,
} from '@tessera/contract/projects/project-config'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../../test/fixtures/refusals.ts'
import { statesWorld } from '../../../../../test/fixtures/worlds/states-world.ts'
import { serverOfFile } from '../../../../../test/servers/server.ts'

const server = await serverOfFile()

test('the workflow is replaced as a whole, and not over a newer one', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, unpermitted, someone, changes } = await statesWorld(server)
  const { open, doing, done } = project.states
  const other = await makeProject(server.db, organization)
  await server.sql`
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    values (${organization}, ${other.projectId}, ${other.states.open}, ${other.states.done})`
  const viewer = await someone([1])
  expect((await server.as(viewer, getStateTransitions, { idProject })).body).toEqual({ Transitions: [], Version: 0 })
  const Transitions = [
    { from: doing, to: done },
    { from: open, to: doing },
  ]
  expect((await server.as(caller, setStateTransitions, { idProject, Transitions, Version: 0 })).body).toEqual({ Success: 1, Version: 1 })
  const stored = {
    Transitions: [
      { from: open, to: doing },
      { from: doing, to: done },
    ],
    Version: 1,
  }
  expect((await server.as(viewer, getStateTransitions, { idProject })).body).toEqual(stored)
  expect(await server.as(caller, setStateTransitions, { idProject, Transitions: [], Version: 0 })).toMatchObject({
    status: 409,
    body: { code: 'conflict', ...stored },
  })
  expect((await server.as(caller, setStateTransitions, { idProject, Transitions: [{ from: done, to: open }] })).body.Version).toBe(2)
  expect((await server.as(caller, setStateTransitions, { idProject, Transitions: [], Version: 2 })).body.Version).toBe(3)
  expect((await server.as(viewer, getStateTransitions, { idProject })).body).toEqual({ Transitions: [], Version: 3 })
  expect((await changes()).map(({ before, after }) => [before, after])).toEqual([
    [
      '[]',
      JSON.stringify([
        [open, doing],
        [doing, done],
      ]),
    ],
    [
      JSON.stringify([
        [open, doing],
        [doing, done],
      ]),
      JSON.stringify([[done, open]]),
    ],
    [JSON.stringify([[done, open]]), '[]'],
  ])
  expect(await server.sql`select project_id as id from state_transition where organization_id = ${organization}`).toEqual([
    { id: other.projectId },
  ])
  expect(
    await server.sql`select workflow_version as version from project where id = ${other.projectId} and organization_id = ${organization}`,
  ).toEqual([{ version: 0 }])
  const before = await databaseDigest(server.db)
  expect((await server.as(caller, setStateTransitions, { idProject, Transitions: [{ from: open, to: foreign.states.open }] })).status).toBe(
    404,
  )
  expect(await databaseDigest(server.db)).toBe(before)
  const input = { idProject, Transitions }
  await expectRefusals(server, setStateTransitions, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ ...input, Transitions: [{ from: open, to: open }] }, 'Transitions.0'],
      [{ ...input, Transitions: [...Transitions, Transitions[0]] }, 'Transitions.2'],
      [{ ...input, Transitions: [{ from: open }] }, 'Transitions.0.to'],
      [{ ...input, Version: -1 }, 'Version'],
    ],
  })
  await expectRefusals(server, getStateTransitions, { input: { idProject }, caller, foreigner })
})

test('the ticket calls follow the workflow', async () => {
  const { organization, project, idProject, everything } = await statesWorld(server)
  const { open, doing, done } = project.states
  const idTicket = await makeTicket(server.db, organization, project)
  await server.as(everything, setStateTransitions, { idProject, Transitions: [{ from: open, to: doing }] })
  expect((await server.as(everything, getTicketData, { idTicket })).body.OutputStates).toEqual([{ id: doing, Description: 'Doing' }])
  expect((await server.as(everything, setTicketData, { idTicket, State: done })).status).toBe(409)
  expect((await server.as(everything, setTicketData, { idTicket, State: doing })).body).toMatchObject({ Success: 1, States: [] })
})

test('an archived project takes no change of its configuration', async () => {
  const { organization, project, idProject, everything } = await statesWorld(server)
  const { open, doing } = project.states
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${idProject}`
  const before = await databaseDigest(server.db)
  for (const [call, input] of [
    [createNewState, { State: 'New', idPhase: 1 }],
    [setTicketState, { idState: open, State: 'New' }],
    [setTicketStateOrder, { SortOrder: [doing, open] }],
    [deleteTicketStates, { ids: [doing] }],
    [restoreTicketStates, { ids: [doing] }],
    [setStateTransitions, { Transitions: [] }],
  ] as const)
    expect(await server.as(everything, call, { idProject, ...input })).toMatchObject({
      status: 422,
      body: { code: 'rule', error: 'This project is archived and takes no changes' },
    })
  expect(await databaseDigest(server.db)).toBe(before)
})
