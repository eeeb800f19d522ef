import {
  createNewState,
  createNewTemplate,
  deleteTicketStates,
  deleteTicketTemplates,
  getStateTransitions,
  getTicketStateUsage,
  getTicketTemplate,
  restoreTicketStates,
  restoreTicketTemplates,
  setStateTransitions,
  setTicketState,
  setTicketStateOrder,
} from '@tessera/contract/projects/project-config'
import { createNewTicket, getTicketData, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket, makeTickets } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { badIds, databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { statesWorld } from '../../../../test/fixtures/worlds/states-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { forLongTransaction } from '../../../db/connections/connect.ts'
import { inTransaction } from '../../../lib/transaction.ts'

const server = await serverOfFile()

test('create-new-state adds at the end, once per name and once per Idempotency-Key [3.14] [7.33]', async () => {
  const { idProject, foreigner, caller, unpermitted, names, changes } = await statesWorld(server)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const first = await server.as(caller, createNewState, { idProject, State: '  Waiting ', idPhase: 2 }, key)
  expect(first).toMatchObject({ status: 200, body: { Success: 1, idState: expect.any(Number) } })
  expect((await server.as(caller, createNewState, { idProject, State: '  Waiting ', idPhase: 2 }, key)).body).toEqual(first.body)
  expect(await names()).toEqual(['Open', 'Doing', 'Done', 'Waiting'])
  expect(await changes()).toEqual([
    { subject: 'state', field: 'Name', before: null, after: 'Waiting' },
    { subject: 'state', field: 'Phase', before: null, after: '2' },
  ])
  expect(await server.as(caller, createNewState, { idProject, State: 'WAITING', idPhase: 1 })).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: 'This project already has a state named WAITING' },
  })
  // An accent as a character of its own looks the same as the letter that has it.
  expect((await server.as(caller, setTicketState, { idProject, idState: first.body.idState, State: 'Cafe\u0301' })).status).toBe(200)
  expect((await names()).at(-1)).toBe('Caf\u00e9')
  for (const State of ['cafe\u0301', 'Caf\u00e9'])
    expect((await server.as(caller, createNewState, { idProject, State, idPhase: 1 })).body).toMatchObject({ code: 'duplicate' })
  const input = { idProject, State: 'Other', idPhase: 1 }
  await expectRefusals(server, createNewState, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ ...input, idPhase: 4 }, 'idPhase'],
      [{ ...input, State: '   ' }, 'State'],
      [{ ...input, State: 'x'.repeat(201) }, 'State'],
      [{ ...input, idProject: String(idProject) }, 'idProject'],
    ],
  })
})

test('set-ticket-state renames, refuses a taken name, and changes only what is given', async () => {
  const { project, idProject, foreign, foreigner, caller, unpermitted, names, changes } = await statesWorld(server)
  const { open } = project.states
  expect((await server.as(caller, setTicketState, { idProject, idState: open, State: 'OPEN' })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, setTicketState, { idProject, idState: open })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, setTicketState, { idProject, idState: open, State: 'done' })).body).toMatchObject({ code: 'duplicate' })
  expect(await names()).toEqual(['OPEN', 'Doing', 'Done'])
  expect(await changes()).toEqual([{ subject: 'state', field: 'Name', before: 'Open', after: 'OPEN' }])
  expect((await server.as(caller, setTicketState, { idProject, idState: foreign.states.open, State: 'Mine' })).status).toBe(404)
  const input = { idProject, idState: open, State: 'Other' }
  await expectRefusals(server, setTicketState, { input, caller, foreigner, unpermitted, bad: [[{ ...input, idPhase: 0 }, 'idPhase']] })
})

test('a new phase moves the counts of the parents, not of tickets in the trash', async () => {
  const { organization, project, idProject, caller } = await statesWorld(server)
  const { open, doing } = project.states
  const parents = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  for (const [index, stateId] of [open, open, doing, open].entries())
    await makeTicket(server.db, organization, project, { parentId: parents[index % 2] as number, stateId })
  await server.sql`
    with trashed as (
      insert into ticket (organization_id, project_id, template_id, state_id, parent_id, title) values
      (${organization}, ${idProject}, ${project.templates.bug}, ${open}, ${parents[0]}, 'gone') returning id
    ) select 1 from trashed`
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and title = 'gone'`
  for (const idPhase of [3, 2, 2, 1] as const) {
    expect((await server.as(caller, setTicketState, { idProject, idState: open, idPhase })).body).toEqual({ Success: 1 })
    expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  }
})

test('set-ticket-state-order: given ones first, the others keep their order; unknown 404, twice 400 [7.34]', async () => {
  const { project, idProject, foreign, foreigner, caller, unpermitted, names, changes } = await statesWorld(server)
  const { open, doing, done } = project.states
  expect((await server.as(caller, setTicketStateOrder, { idProject, SortOrder: [done, open, doing] })).body).toEqual({ Success: 1 })
  expect(await names()).toEqual(['Done', 'Open', 'Doing'])
  await server.as(caller, setTicketStateOrder, { idProject, SortOrder: [doing] })
  expect(await names()).toEqual(['Doing', 'Done', 'Open'])
  await server.as(caller, setTicketStateOrder, { idProject, SortOrder: [] })
  await server.as(caller, setTicketStateOrder, { idProject, SortOrder: [doing, done, open] })
  expect(await changes()).toEqual([
    { subject: 'state', field: 'Order', before: JSON.stringify([open, doing, done]), after: JSON.stringify([done, open, doing]) },
    { subject: 'state', field: 'Order', before: JSON.stringify([done, open, doing]), after: JSON.stringify([doing, done, open]) },
  ])
  const { body: made } = await server.as(caller, createNewState, { idProject, State: 'Last', idPhase: 1 })
  expect(await names()).toEqual(['Doing', 'Done', 'Open', 'Last'])
  const before = await databaseDigest(server.db)
  for (const stranger of [foreign.states.open, made.idState + 1_000_000])
    expect((await server.as(caller, setTicketStateOrder, { idProject, SortOrder: [open, stranger] })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  const input = { idProject, SortOrder: [open, doing] }
  await expectRefusals(server, setTicketStateOrder, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [[{ ...input, SortOrder: [open, open] }, 'SortOrder']],
  })
})

test('get-ticket-state-usage counts tickets, those in the trash too, and names the templates', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, unpermitted } = await statesWorld(server)
  const { open, doing, done } = project.states
  await makeTicket(server.db, organization, project, { stateId: doing })
  await makeTicket(server.db, organization, project, { stateId: doing })
  expect((await server.as(caller, getTicketStateUsage, { idProject, ids: [done, doing, open] })).body).toEqual([
    { id: open, Tickets: 0, Templates: ['Bug', 'Task'] },
    { id: doing, Tickets: 2, Templates: [] },
    { id: done, Tickets: 0, Templates: [] },
  ])
  expect((await server.as(caller, getTicketStateUsage, { idProject, ids: [open, foreign.states.open] })).status).toBe(404)
  const input = { idProject, ids: [open] }
  await expectRefusals(server, getTicketStateUsage, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [[{ ...input, ids: [] }, 'ids']],
  })
})

test('delete-ticket-states: an unused state is deleted with its transitions', async () => {
  const { project, idProject, foreign, foreigner, caller, unpermitted, names } = await statesWorld(server)
  const { open, doing, done } = project.states
  await server.as(caller, setStateTransitions, {
    idProject,
    Transitions: [
      { from: open, to: doing },
      { from: open, to: done },
    ],
  })
  const input = { idProject, ids: [doing] }
  await expectRefusals(server, deleteTicketStates, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [...badIds(input), [{ ...input, idReplacement: doing }, 'idReplacement']],
  })
  for (const stranger of [
    { ids: [doing, foreign.states.doing] },
    { ids: [doing], idReplacement: foreign.states.open },
    { ids: [foreign.states.doing], idReplacement: open },
  ])
    expect((await server.as(caller, deleteTicketStates, { idProject, ...stranger })).status).toBe(404)
  expect(await names()).toEqual(['Open', 'Doing', 'Done'])
  expect((await server.as(caller, deleteTicketStates, input)).body).toEqual({ Success: 1 })
  expect(await names()).toEqual(['Open', 'Done'])
  expect((await server.as(caller, getStateTransitions, { idProject })).body).toEqual({
    Transitions: [{ from: open, to: done }],
    Version: 2,
  })
  expect((await server.as(caller, deleteTicketStates, input)).status).toBe(404)
})

test('delete-ticket-states says what is in the way and changes nothing', async () => {
  const { organization, project, idProject, caller } = await statesWorld(server)
  const { open, doing, done } = project.states
  await makeTicket(server.db, organization, project, { stateId: doing })
  const before = await databaseDigest(server.db)
  const refused = async (ids: number[], idReplacement?: number) => {
    const answer = await server.as(caller, deleteTicketStates, { idProject, ids, ...(idReplacement ? { idReplacement } : {}) })
    expect(answer).toMatchObject({ status: 422, body: { Success: 0, code: 'in_use' } })
    return (answer.body as unknown as { error: string }).error
  }
  expect(await refused([open])).toBe('Template Bug starts in this state; Template Task starts in this state')
  expect(await refused([open, done], doing)).toBe('Template Bug starts in the state Open; Template Task starts in the state Open')
  expect(await refused([doing, done])).toBe('1 ticket is in the state Doing: choose a state to move to')
  expect(await refused([open, doing, done])).toBe('A project keeps at least one state')
  expect(await databaseDigest(server.db)).toBe(before)
})

test('delete-ticket-states moves tickets to the replacement: history, versions, counters and tally follow', async () => {
  const { organization, project, idProject, everything } = await statesWorld(server)
  const { open, doing, done } = project.states
  const parent = await makeTicket(server.db, organization, project)
  const children = []
  for (const stateId of [doing, doing, done, open])
    children.push(await makeTicket(server.db, organization, project, { parentId: parent, stateId, templateId: project.templates.task }))
  const root = await makeTicket(server.db, organization, project, { stateId: doing })
  const { body: made } = await server.as(everything, createNewState, { idProject, State: 'Closed', idPhase: 3 })
  expect((await server.as(everything, deleteTicketStates, { idProject, ids: [doing, done], idReplacement: made.idState })).body).toEqual({
    Success: 1,
  })
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  const { body } = await server.as(everything, getTicketData, { idTicket: root })
  expect(body).toMatchObject({ idState: made.idState, State: 'Closed', Phase: 3, Version: 2 })
  const rows = await server.sql<{ ticket_id: number; before: string; after: string; change_set_id: number }>`
    select ticket_id, before, after, change_set_id from change
    where organization_id = ${organization} and subject = 'ticket' and field = 'State' order by ticket_id`
  expect(rows.map(({ ticket_id, before, after }) => [ticket_id, before, after])).toEqual([
    [children[0], String(doing), String(made.idState)],
    [children[1], String(doing), String(made.idState)],
    [children[2], String(done), String(made.idState)],
    [root, String(doing), String(made.idState)],
  ])
  expect(new Set(rows.map(row => row.change_set_id)).size).toBe(1)
  const history = (await server.as(everything, getTicketHistory, { idTicket: root })).body.Changes
  expect(history[0]).toMatchObject({ Field: 'State', Before: 'Doing (deleted)', After: 'Closed', Restorable: null })
})

test('an archived template does not prevent the deletion of its state; restored, it starts in the replacement', async () => {
  const { organization, project, idProject, everything } = await statesWorld(server)
  const { open, doing, done } = project.states
  const { body: made } = await server.as(everything, createNewTemplate, { idProject, Label: 'Old', idEntryState: doing, Fields: [] })
  const idTemplate = made.idTicketTemplate
  const [idTicket] = (await server.as(everything, createNewTicket, { idProject, idTemplate, Title: 'kept' })).body
  const { Version } = (await server.as(everything, getTicketData, { idTicket: idTicket as number })).body
  expect((await server.as(everything, deleteTicketTemplates, { idProject, ids: [idTemplate] })).body).toMatchObject({
    Archived: [idTemplate],
  })
  expect((await server.as(everything, deleteTicketStates, { idProject, ids: [doing], idReplacement: done })).body).toEqual({ Success: 1 })
  expect((await server.as(everything, getTicketData, { idTicket: idTicket as number })).body.idState).toBe(done)
  // Whoever has not seen that yet does not overwrite it.
  expect((await server.as(everything, setTicketData, { idTicket, State: open, Version })).status).toBe(409)
  await server.as(everything, restoreTicketTemplates, { idProject, ids: [idTemplate] })
  const entryOf = async (id: number) =>
    (await server.as(everything, getTicketTemplate, { idProject, idTicketTemplate: id })).body.idEntryState
  expect([await entryOf(idTemplate), await entryOf(project.templates.bug)]).toEqual([done, open])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('a state of more tickets than a call may have arguments is deleted and restored', { tags: ['long'], timeout: 120_000 }, async () => {
  const { organization, project, idProject, caller } = await statesWorld(server)
  const { open, doing } = project.states
  const count = 130_000
  await inTransaction(forLongTransaction(server.db), async db => {
    // Without rows of the search, which would take most of the time.
    await sql`set local session_replication_role = replica`.execute(db)
    await makeTickets(db, organization, project, count, 'Ticket')
  })
  await server.sql`update template set entry_state_id = ${doing} where organization_id = ${organization} and project_id = ${idProject}`
  const deleted = await server.as(caller, deleteTicketStates, { idProject, ids: [open], idReplacement: doing })
  expect(deleted).toMatchObject({ status: 200, body: { Success: 1 } })
  const restored = await server.as(caller, restoreTicketStates, { idProject, ids: [open] })
  expect(restored).toMatchObject({ status: 200, body: { Success: 1, Tickets: count } })
})
