import type { Request } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import { deleteTicketTemplates, restoreTicketTemplates } from '@tessera/contract/projects/project-config'
import { applyBulkChange, previewBulkChange } from '@tessera/contract/tickets/bulk'
import { getTicketData, getTicketHistory, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeTicket } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { allBut } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { digest, history, ticketsOfPeople, unknownId } from '../../../../test/fixtures/worlds/tickets-of-people.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

/** A ticket of the type Bug, below another one. Only bugs have a cause, only tasks a cost. */
async function setUp() {
  const world = await ticketsOfPeople(server)
  const { organization, project, idProject, ann } = world
  const { bug, task } = project.templates
  await makeField(server.db, organization, project, 'cause', 'TEXT', { label: 'Cause' })
  const cost = await makeField(server.db, organization, project, 'cost', 'NUMBER', { label: 'Cost' })
  await server.sql`update template_field set template_id = ${task} where organization_id = ${organization} and field_id = ${cost}`
  const parent = await makeTicket(server.db, organization, project, { templateId: task })
  const idTicket = await makeTicket(server.db, organization, project, { parentId: parent, stateId: project.states.doing })
  const save = (input: Partial<Request<typeof setTicketData>>, who: Caller = ann) => server.as(who, setTicketData, { idTicket, ...input })
  const read = async () => (await server.as(ann, getTicketData, { idTicket })).body
  const values = async () => Object.fromEntries((await read()).Fields.map(({ Key, Value }) => [Key, Value]))
  const found = async (list: object) =>
    (await server.as(ann, queryTickets, { idProject, ...list })).body.Tickets.map(({ id, Type }) => [id, Type])
  const right = async () => expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  return { ...world, bug, task, idTicket, parent, save, read, values, found, right }
}

test('another type: the state stays, the fields are those of the new type, and values that it lacks come back with the old one', async () => {
  const { organization, project, bug, task, idTicket, parent, save, read, values, found, right } = await setUp()
  await save({ data: { cause: 'rust', size: 'l' } })
  const changed = await save({ idTemplate: task, Title: 'Now a task', Version: 2 })
  expect(changed).toMatchObject({ status: 200, body: { Success: 1, Version: 3 } })
  expect(changed.body).not.toHaveProperty('States')
  expect(await read()).toMatchObject({ Type: 'Task', idTemplate: task, idState: project.states.doing, Title: 'Now a task', Version: 3 })
  expect(await values()).toEqual({ note: '', size: 'l', cost: '' })
  expect((await history(server, organization, idTicket)).slice(2).sort()).toEqual([
    ['Title', expect.any(String), 'Now a task'],
    ['Type', String(bug), String(task)],
  ])
  // Lists, filters, the search, and the counters behind them.
  expect(await found({ Types: [task] })).toEqual([
    [idTicket, 'Task'],
    [parent, 'Task'],
  ])
  expect(await found({ Types: [bug] })).toEqual([])
  expect(await found({ Query: 'type:task state:doing' })).toEqual([[idTicket, 'Task']])
  expect(await found({ Query: 'is:open', Group: 'Type' })).toHaveLength(2)
  await right()

  expect(await save({ data: { cause: 'none' } })).toMatchObject({ status: 404, body: { fields: [{ path: 'data.cause' }] } })
  // The same type is no change.
  expect((await save({ idTemplate: task })).body).toEqual({ Success: 1, Version: 3 })
  // One save may name fields of the type that the ticket has and of the one that it gets.
  expect((await save({ idTemplate: bug, State: project.states.done, data: { cost: '3', note: 'x' } })).status).toBe(200)
  expect(await values()).toEqual({ note: 'x', size: 'l', cause: 'rust' })
  expect((await save({ idTemplate: task, data: { cause: 'wear', cost: '4' } })).status).toBe(200)
  expect(await values()).toEqual({ note: 'x', size: 'l', cost: '4' })
  await save({ idTemplate: bug })
  expect(await values()).toEqual({ note: 'x', size: 'l', cause: 'wear' })
  await right()
})

test('a type is not changed without the permission, to one that is not offered, or over another person’s change', async () => {
  const { organization, project, foreign, someone, bug, task, idTicket, ann, save, read, right } = await setUp()
  const before = await digest(server, organization)
  const refused = await save({ idTemplate: task }, await someone(allBut(permission.editTickets)))
  expect(refused).toMatchObject({ status: 422, body: { code: 'not_permitted', needs: 'Edit tickets' } })
  for (const idTemplate of [unknownId, foreign.templates.bug])
    expect(await save({ idTemplate, Title: 'x' })).toMatchObject({ status: 404, body: { fields: [{ path: 'idTemplate' }] } })
  for (const idTemplate of [0, -1, 1.5, '1', null])
    expect(await save({ idTemplate, Title: 'x' } as object)).toMatchObject({ status: 400, body: { fields: [{ path: 'idTemplate' }] } })
  expect(await digest(server, organization)).toBe(before)

  const bob = await someone('all')
  expect((await save({ idTemplate: task, Version: 1 }, bob)).status).toBe(200)
  const third = { name: 'Third', entry_state_id: project.states.open, position: 2 }
  const { id } = await server.db
    .insertInto('template')
    .values({ ...third, organization_id: organization, project_id: project.projectId })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await save({ idTemplate: id, Version: 1 })).toMatchObject({
    status: 409,
    body: { error: 'Somebody else changed this meanwhile', Conflicts: [{ Field: 'Type', Value: String(task) }], idTemplate: task },
  })
  // Other parts of the ticket are merged.
  expect((await save({ Title: 'Merged', Version: 1 })).status).toBe(200)

  // An archived type: tickets that have it keep it, no other gets it, and the history does not offer it.
  const own = async () => (await server.as(ann, getTicketHistory, { idTicket })).body.Changes.find(({ Field }) => Field === 'Type')
  expect(await own()).toMatchObject({ Label: 'Type', Before: 'Bug', After: 'Task', Restorable: String(bug) })
  await makeTicket(server.db, organization, project)
  const ids = { idProject: project.projectId, ids: [bug, id] }
  expect((await server.as(ann, deleteTicketTemplates, ids)).body).toMatchObject({ Archived: [bug], Deleted: [id] })
  expect(await own()).toMatchObject({ Before: 'Bug', Restorable: null })
  expect(await save({ idTemplate: bug })).toMatchObject({ status: 422, body: { code: 'rule', error: expect.stringContaining('archived') } })
  expect(await save({ idTemplate: id })).toMatchObject({ status: 404 })
  await server.as(ann, restoreTicketTemplates, ids)
  expect((await save({ idTemplate: id })).status).toBe(200)
  expect((await save({ idTemplate: bug })).status).toBe(200)
  expect((await server.as(ann, deleteTicketTemplates, { ...ids, ids: [id] })).body).toMatchObject({ Deleted: [id] })
  const [last] = (await server.as(ann, getTicketHistory, { idTicket })).body.Changes
  expect(last).toMatchObject({ Before: 'Third (deleted)', After: 'Bug', Restorable: null })
  const { Type, Version } = await read()
  expect(Type).toBe('Bug')
  await right()

  // A bulk change is another person's change too.
  const Change = { idTemplate: task, State: project.states.done }
  const { idPreview } = (await server.as(bob, previewBulkChange, { idProject: project.projectId, Tickets: [idTicket], Change })).body
  expect((await server.as(bob, applyBulkChange, { idPreview })).body).toMatchObject({ Changed: 1 })
  expect((await save({ idTemplate: bug, State: project.states.open, Version })).body).toMatchObject({
    Conflicts: [{ Field: 'Type' }, { Field: 'State' }],
  })
})
