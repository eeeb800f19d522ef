import { permission } from '@tessera/contract/permissions'
import {
  createNewState,
  createNewTemplate,
  deleteTicketStates,
  deleteTicketTemplates,
  getStateTransitions,
  getTicketStateList,
  getTicketTemplate,
  restoreTicketStates,
  setStateTransitions,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, getTicketData, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { badIds, databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { idProject, someone } = made
  const everything = await someone('all')
  const stateOf = async (idTicket: number) => (await server.as(everything, getTicketData, { idTicket })).body.idState
  const workflow = async () => (await server.as(everything, getStateTransitions, { idProject })).body
  const remove = async (ids: number[], idReplacement?: number) =>
    expect((await server.as(everything, deleteTicketStates, { idProject, ids, ...(idReplacement && { idReplacement }) })).body).toEqual({
      Success: 1,
    })
  const restore = async (...ids: number[]) => (await server.as(everything, restoreTicketStates, { idProject, ids })).body
  return { ...made, everything, stateOf, workflow, remove, restore }
}

test('restore-ticket-states reverts a deletion: ids, order, workflow, templates, tickets, counters and history', async () => {
  const { organization, project, idProject, someone, foreign, foreigner, everything, stateOf, workflow, remove } = await setUp()
  const { open, doing, done } = project.states
  const caller = await someone([1, 9])
  const unpermitted = await someone(allBut(permission.manageStates))
  const Transitions = [
    { from: open, to: doing },
    { from: open, to: done },
    { from: doing, to: done },
  ]
  await server.as(everything, setStateTransitions, { idProject, Transitions })
  const archived = async (Label: string) => {
    const { body } = await server.as(everything, createNewTemplate, { idProject, Label, idEntryState: doing, Fields: [] })
    const idTemplate = body.idTicketTemplate
    const [idTicket] = (await server.as(everything, createNewTicket, { idProject, idTemplate, Title: Label })).body
    await server.as(everything, deleteTicketTemplates, { idProject, ids: [idTemplate] })
    return { idTemplate, idTicket: idTicket as number }
  }
  const [old, changed] = [await archived('Old'), await archived('Changed')]
  const { idState: closed } = (await server.as(everything, createNewState, { idProject, State: 'Closed', idPhase: 3 })).body
  const parent = await makeTicket(server.db, organization, project)
  const below = async (stateId: number) => makeTicket(server.db, organization, project, { parentId: parent, stateId })
  const [first, second, saved, left, trashed] = [
    await below(doing),
    await below(done),
    await below(doing),
    await below(doing),
    await below(doing),
  ]
  const back = await below(doing)
  expect((await server.as(everything, trashTicket, { idTicket: trashed })).status).toBe(200)
  const list = async () => (await server.as(caller, getTicketStateList, { idProject })).body
  const before = { list: await list(), transitions: (await workflow()).Transitions }

  await remove([doing, done], closed)
  expect(await list()).toHaveLength(2)
  // A template gets another initial state, one ticket a title only, one another state, one another state and back.
  await server.as(everything, setTicketTemplate, { idProject, idTicketTemplate: changed.idTemplate, idEntryState: open })
  await server.as(everything, setTicketData, { idTicket: saved, Title: 'Saved since' })
  for (const [idTicket, State] of [
    [left, open],
    [back, open],
    [back, closed],
  ] as const)
    expect((await server.as(everything, setTicketData, { idTicket, State })).status).toBe(200)
  const input = { idProject, ids: [doing, done] }
  await expectRefusals(server, restoreTicketStates, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: badIds(input),
  })
  const digest = await databaseDigest(server.db)
  for (const stranger of [foreign.states.doing, 987_654_321])
    expect((await server.as(caller, restoreTicketStates, { idProject, ids: [doing, stranger] })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(digest)

  expect((await server.as(caller, restoreTicketStates, input)).body).toEqual({ Success: 1, Tickets: 6 })
  expect(await list()).toEqual(before.list)
  expect((await workflow()).Transitions).toEqual(before.transitions)
  const entryOf = async (idTicketTemplate: number) =>
    (await server.as(everything, getTicketTemplate, { idProject, idTicketTemplate })).body.idEntryState
  expect([await entryOf(old.idTemplate), await entryOf(changed.idTemplate)]).toEqual([doing, open])
  const now = await Promise.all([old.idTicket, first, second, saved, trashed, left, back].map(stateOf))
  expect(now).toEqual([doing, doing, done, doing, doing, open, closed])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  const { body } = await server.as(everything, getTicketHistory, { idTicket: second })
  expect(body.Changes.map(({ Field, Before, After }) => [Field, Before, After])).toEqual([
    ['State', 'Closed', 'Done'],
    ['State', 'Done', 'Closed'],
  ])
  expect((await server.as(everything, getTicketData, { idTicket: saved })).body).toMatchObject({ Title: 'Saved since', Version: 4 })
  const rows = await server.sql<{ sets: number }>`
    select count(distinct change_set_id)::int as sets from change
    where organization_id = ${organization} and change_set_id >= (
      select max(change_set_id) from change where organization_id = ${organization} and subject = 'state')`
  expect(rows).toEqual([{ sets: 1 }])

  // Once more changes nothing.
  const done2 = await databaseDigest(server.db)
  expect((await server.as(caller, restoreTicketStates, input)).body).toEqual({ Success: 1, Tickets: 0 })
  expect(await databaseDigest(server.db)).toBe(done2)
})

test('a deleted state is not restored when its name has been taken since', async () => {
  const { project, idProject, everything, remove } = await setUp()
  const { doing } = project.states
  await remove([doing])
  expect((await server.as(everything, createNewState, { idProject, State: 'doing', idPhase: 2 })).status).toBe(200)
  const before = await databaseDigest(server.db)
  expect(await server.as(everything, restoreTicketStates, { idProject, ids: [doing] })).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: 'This project already has a state named Doing' },
  })
  expect(await databaseDigest(server.db)).toBe(before)
})

test('consecutive deletions undone in reverse order put every ticket back', async () => {
  const { organization, project, idProject, everything, stateOf, workflow, remove, restore } = await setUp()
  const { open, doing, done } = project.states
  const Transitions = [
    { from: open, to: doing },
    { from: doing, to: done },
    { from: done, to: open },
  ]
  await server.as(everything, setStateTransitions, { idProject, Transitions })
  const [first, second, third] = [
    await makeTicket(server.db, organization, project, { stateId: doing }),
    await makeTicket(server.db, organization, project, { stateId: done }),
    await makeTicket(server.db, organization, project, { stateId: open }),
  ]
  const all = () => Promise.all([first, second, third].map(stateOf))
  await remove([doing], done)
  await remove([done], open)
  expect(await all()).toEqual([open, open, open])
  expect((await workflow()).Transitions).toEqual([])
  expect(await restore(done)).toEqual({ Success: 1, Tickets: 2 })
  expect(await all()).toEqual([done, done, open])
  expect(await restore(doing)).toEqual({ Success: 1, Tickets: 1 })
  expect(await all()).toEqual([doing, done, open])
  expect((await workflow()).Transitions).toEqual(Transitions)
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)

  // In one call, and after both were deleted and brought back before.
  await remove([doing], done)
  await remove([done], open)
  expect(await restore(doing, done)).toEqual({ Success: 1, Tickets: 2 })
  expect(await all()).toEqual([doing, done, open])
  expect((await workflow()).Transitions).toEqual(Transitions)
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('consecutive deletions undone in their own order put every ticket back too', async () => {
  const { organization, project, everything, stateOf, remove, restore } = await setUp()
  const { open, doing, done } = project.states
  const [first, second, third, touched] = [
    await makeTicket(server.db, organization, project, { stateId: doing }),
    await makeTicket(server.db, organization, project, { stateId: done }),
    await makeTicket(server.db, organization, project, { stateId: open }),
    await makeTicket(server.db, organization, project, { stateId: doing }),
  ]
  const all = () => Promise.all([first, second, third].map(stateOf))
  for (let round = 0; round < 2; round++) {
    await remove([doing], done)
    await remove([done], open)
    expect(await restore(doing)).toEqual({ Success: 1, Tickets: 2 })
    expect(await all()).toEqual([doing, open, open])
    expect(await restore(done)).toEqual({ Success: 1, Tickets: 1 })
    expect(await all()).toEqual([doing, done, open])
    expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  }

  // Changes by people in between are kept.
  await remove([doing], done)
  await server.as(everything, setTicketData, { idTicket: touched, State: open })
  await remove([done], open)
  expect(await restore(doing)).toEqual({ Success: 1, Tickets: 1 })
  expect(await restore(done)).toEqual({ Success: 1, Tickets: 1 })
  expect([...(await all()), await stateOf(touched)]).toEqual([doing, done, open, open])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a workflow that was emptied since stays empty; a new one gets the deleted transitions back', async () => {
  const { project, idProject, everything, workflow, remove, restore } = await setUp()
  const { open, doing, done } = project.states
  const [there, through, around] = [
    { from: open, to: doing },
    { from: doing, to: done },
    { from: open, to: done },
  ]
  const draw = (...Transitions: { from: number; to: number }[]) => server.as(everything, setStateTransitions, { idProject, Transitions })
  await draw(there, through, around)
  await remove([doing])
  await draw()
  await restore(doing)
  expect((await workflow()).Transitions).toEqual([])

  await draw(there, through)
  await remove([doing])
  const { Version } = (await draw(around)).body
  await restore(doing)
  expect(await workflow()).toEqual({ Transitions: [there, around, through], Version: Version + 1 })
})

test('a transition is restored once both of its states are, in any order of undos', async () => {
  const { organization, project, idProject, everything, workflow, remove, restore } = await setUp()
  const { open, doing, done } = project.states
  const [there, back, end, again] = [
    { from: open, to: doing },
    { from: doing, to: open },
    { from: open, to: done },
    { from: doing, to: done },
  ]
  const draw = (...Transitions: { from: number; to: number }[]) => server.as(everything, setStateTransitions, { idProject, Transitions })
  const moves = async () => (await workflow()).Transitions
  const idTicket = await makeTicket(server.db, organization, project, { stateId: doing })
  // The second deletion empties the workflow.
  await draw(there, end, back)
  await remove([doing], open)
  await remove([done])
  await restore(doing)
  expect(await moves()).toEqual([there, back])
  await restore(done)
  expect(await moves()).toEqual([there, end, back])
  expect((await server.as(everything, getTicketData, { idTicket })).body.OutputStates.map(({ id }) => id)).toEqual([open])

  // A move between the two, also where the second deletion removes none. A third one stays deleted.
  const { idState: extra } = (await server.as(everything, createNewState, { idProject, State: 'Extra', idPhase: 2 })).body
  await draw(again, { from: doing, to: extra }, { from: extra, to: done })
  await remove([extra])
  await remove([doing], open)
  await remove([done])
  await restore(doing)
  expect(await moves()).toEqual([])
  await restore(done)
  expect(await moves()).toEqual([again])
  await restore(extra)
  expect(await moves()).toEqual(
    [again, { from: doing, to: extra }, { from: extra, to: done }].sort((a, b) => a.from - b.from || a.to - b.to),
  )

  // What a person removes between two undos stays removed.
  await draw(there, again)
  await remove([doing], open)
  await restore(doing)
  await draw(there, end)
  await remove([done])
  await restore(done)
  expect(await moves()).toEqual([there, end])
  await remove([doing], open)
  await remove([done])
  await restore(done)
  await draw()
  await restore(doing)
  expect(await moves()).toEqual([])
})

test('an undo while its tickets are being saved: no save is lost, every counter is right', async () => {
  const { organization, project, idProject, everything, remove } = await setUp()
  const { open, doing, done } = project.states
  const parent = await makeTicket(server.db, organization, project)
  const tickets: number[] = []
  for (let index = 0; index < 4; index++)
    tickets.push(await makeTicket(server.db, organization, project, { parentId: parent, stateId: doing }))
  for (let race = 0; race < rounds(4); race++) {
    await remove([doing], done)
    const answers = await Promise.all([
      server.as(everything, restoreTicketStates, { idProject, ids: [doing] }),
      server.as(everything, setTicketData, { idTicket: tickets[race % 4] as number, State: open }),
      server.as(everything, setTicketData, { idTicket: tickets[(race + 1) % 4] as number, Title: `Title ${race}` }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const idTicket of tickets) {
      const { body } = await server.as(everything, getTicketData, { idTicket })
      expect([open, doing]).toContain(body.idState)
      if (body.idState === open) await server.as(everything, setTicketData, { idTicket, State: doing })
    }
  }
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})
