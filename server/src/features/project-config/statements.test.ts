import type { Call } from '@tessera/contract/call'
import {
  createNewState,
  createNewTemplate,
  createNewTicketField,
  deleteTicketFields,
  deleteTicketStates,
  deleteTicketTemplates,
  restoreTicketFields,
  restoreTicketStates,
  restoreTicketTemplates,
  setStateTransitions,
  setTicketState,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { copyProjectSetUp } from '@tessera/contract/projects/project-set-up'
import {
  createProject,
  createProjectRole,
  deleteProjectRoles,
  restoreProjectRoles,
  setProjectData,
} from '@tessera/contract/projects/projects'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../test/servers/server.ts'
import { recordedApplication } from '../../../test/statements/recorded-application.ts'

test('ten things are deleted, restored and copied with as many statements as two', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone('all', { admin: true })
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded
  const answerOf = async (call: Call, input: object) => {
    const { status, body } = await server.as(caller, call, { idProject, ...input }, {}, app)
    expect([call.path, status]).toEqual([call.path, 200])
    return body as Record<string, number>
  }
  const statementsOf = async (call: Call, input: object) => {
    recorder.start()
    await answerOf(call, input)
    // What is sent now and then: that the session was used, that something changed, the settings of a connection.
    const now = /^\s*(select pg_notify|\/\*.*\*\/ (set local|select set_config)|update session set last_seen_at)/
    return recorder.stop().filter(({ text }) => !now.test(text)).length
  }
  const kinds: [create: Call, id: string, input: (name: string) => object, remove: Call, restore: Call, more?: object][] = [
    [
      createNewState,
      'idState',
      State => ({ State, idPhase: 1 }),
      deleteTicketStates,
      restoreTicketStates,
      { idReplacement: project.states.open },
    ],
    [createProjectRole, 'idRole', Role => ({ Role }), deleteProjectRoles, restoreProjectRoles],
    [createNewTicketField, 'idField', Label => ({ Label, DbKey: Label, idControlType: 3 }), deleteTicketFields, restoreTicketFields],
    [
      createNewTemplate,
      'idTicketTemplate',
      Label => ({ Label, idEntryState: project.states.open, Fields: [project.fields.note] }),
      deleteTicketTemplates,
      restoreTicketTemplates,
    ],
  ]
  const statementsOfCopy = async (ShortCode: string) => {
    const { idProject: to } = (await server.as(caller, createProject, { Title: 'New', ShortCode })).body
    return statementsOf(copyProjectSetUp, { idProject: to, idFrom: idProject })
  }
  await answerOf(setTicketTemplate, { idTicketTemplate: project.templates.bug, Defaults: { Title: 'Report' } })
  const { open, done } = project.states
  await answerOf(setStateTransitions, { Transitions: [{ from: open, to: done }] })
  const before = await statementsOfCopy('ONE')
  for (const [create, id, input, remove, restore, more] of kinds) {
    const ids: number[] = []
    for (let index = 0; index < 10; index++) ids.push((await answerOf(create, input(`n${index}`)))[id] as number)
    if (create === createNewState) for (const stateId of ids) await makeTicket(server.db, organization, project, { stateId })
    const counts: Record<number, number[]> = {}
    for (const count of [2, 10]) {
      const some = { ids: ids.slice(0, count) }
      counts[count] = [await statementsOf(remove, { ...some, ...more }), await statementsOf(restore, some)]
    }
    expect.soft([create.path, counts[10]]).toEqual([create.path, counts[2]])
  }
  expect(await statementsOfCopy('TWO')).toBe(before)
})

test('links are read for a state that becomes inactive only where blockers hold', async () => {
  await using server = await startServer()
  const { project, idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded
  const set = (idPhase: 2 | 3) => server.as(caller, setTicketState, { idProject, idState: project.states.doing, idPhase }, {}, app)
  const readsLinks: boolean[] = []
  for (const BlockersHold of [0, 1] as const) {
    expect((await server.as(caller, setProjectData, { idProject, BlockersHold })).status).toBe(200)
    recorder.start()
    expect((await set(3)).body).toEqual({ Success: 1 })
    readsLinks.push(recorder.stop().some(({ text }) => text.includes('ticket_link')))
    expect((await set(2)).body).toEqual({ Success: 1 })
  }
  expect(readsLinks).toEqual([false, true])
})
