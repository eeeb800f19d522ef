import { permission } from '@tessera/contract/permissions'
import {
  createNewTemplate,
  createNewTicketField,
  deleteTicketFields,
  deleteTicketStates,
  deleteTicketTemplates,
  getTicketTemplate,
  getTicketTemplateList,
  getTicketTemplateUsage,
  restoreTicketStates,
  restoreTicketTemplates,
  setTicketTemplate,
  setTicketTemplateOrder,
} from '@tessera/contract/projects/project-config'
import { createNewTicket, getTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { idProject, someone } = made
  const caller = await someone([1, 10])
  return {
    ...made,
    caller,
    everything: await someone('all'),
    unpermitted: await someone(allBut(permission.manageTemplates)),
    list: async (Archived: 0 | 1 = 0) =>
      (await server.as(caller, getTicketTemplateList, { idProject, Archived })).body.map(({ Description }) => Description),
  }
}

test('create-new-template keeps the order of its fields; get-ticket-template answers it [3.13] [7.36]', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, unpermitted, list } = await setUp()
  const { note, size } = project.fields
  const { doing } = project.states
  const input = { idProject, Label: 'Story', idEntryState: doing, Fields: [size, note] }
  await expectRefusals(server, createNewTemplate, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ ...input, Label: '' }, 'Label'],
      [{ ...input, Fields: [note, note] }, 'Fields'],
      [{ ...input, idEntryState: null }, 'idEntryState'],
    ],
  })
  const before = await databaseDigest(server.db)
  for (const stranger of [{ idEntryState: foreign.states.open }, { Fields: [note, foreign.fields.note] }])
    expect((await server.as(caller, createNewTemplate, { ...input, ...stranger })).status).toBe(404)
  expect(await server.as(caller, createNewTemplate, { ...input, Label: 'bug' })).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: 'This project already has a template named bug' },
  })
  expect(await databaseDigest(server.db)).toBe(before)

  const { body: made } = await server.as(caller, createNewTemplate, input)
  const { idTicketTemplate } = made
  expect((await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate })).body).toEqual({
    idTicketTemplate,
    Label: 'Story',
    idEntryState: doing,
    Fields: [size, note],
  })
  expect(await list()).toEqual(['Bug', 'Task', 'Story'])
  const rows = await server.sql<{ field: string; after: string }>`
    select field, after from change where organization_id = ${organization} order by id`
  expect(rows).toEqual([
    { field: 'Name', after: 'Story' },
    { field: 'EntryState', after: String(doing) },
    { field: 'Fields', after: JSON.stringify([size, note]) },
  ])
  await expectRefusals(server, getTicketTemplate, { input: { idProject, idTicketTemplate }, caller, foreigner })
  expect((await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate: foreign.templates.bug })).status).toBe(404)
})

test('set-ticket-template changes only what is given; a field that is removed and added again has its values', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, everything, unpermitted } = await setUp()
  const { note, size } = project.fields
  const idTicketTemplate = project.templates.bug
  const idTicket = await makeTicket(server.db, organization, project)
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${idTicket}, ${note}, 'kept')`
  const set = (input: object) => server.as(caller, setTicketTemplate, { idProject, idTicketTemplate, ...input })
  const fields = async () => (await server.as(everything, getTicketData, { idTicket })).body.Fields.map(({ Key, Value }) => [Key, Value])
  expect((await set({ Fields: [size] })).body).toEqual({ Success: 1 })
  expect(await fields()).toEqual([['size', '']])
  expect((await set({ Fields: [size, note], Label: 'Defect', idEntryState: project.states.doing })).body).toEqual({ Success: 1 })
  expect(await fields()).toEqual([
    ['size', ''],
    ['note', 'kept'],
  ])
  expect((await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate })).body).toEqual({
    idTicketTemplate,
    Label: 'Defect',
    idEntryState: project.states.doing,
    Fields: [size, note],
  })
  expect((await server.as(everything, getTicketData, { idTicket })).body.Type).toBe('Defect')
  const digest = await databaseDigest(server.db)
  expect((await set({})).body).toEqual({ Success: 1 })
  expect((await set({ Label: 'Defect', Fields: [size, note] })).body).toEqual({ Success: 1 })
  expect((await set({ Label: 'task' })).body).toMatchObject({ code: 'duplicate' })
  for (const stranger of [
    { idEntryState: foreign.states.open },
    { Fields: [foreign.fields.note] },
    { idTicketTemplate: foreign.templates.bug },
  ])
    expect((await set({ Label: 'Never', ...stranger })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(digest)
  const rows = await server.sql<{ change_set_id: number }>`
    select change_set_id from change where organization_id = ${organization} and subject = 'template' order by id`
  expect(rows).toHaveLength(4)
  expect(new Set(rows.map(row => row.change_set_id)).size).toBe(2)
  const input = { idProject, idTicketTemplate, Label: 'Other' }
  await expectRefusals(server, setTicketTemplate, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [[{ ...input, Fields: [note, note] }, 'Fields']],
  })
})

test('a template that names something of another project is 404 and says what, whatever else is wrong with the request', async () => {
  const { organization, project, idProject, caller } = await setUp()
  const far = await makeProject(server.db, organization)
  const before = await databaseDigest(server.db)
  const gone = (path: string) => ({ status: 404, body: { code: 'not_found', fields: [{ path, message: 'does not exist' }] } })
  for (const [path, input] of [
    ['idEntryState', { FieldsBefore: [], idEntryState: far.states.open }],
    ['Fields', { FieldsBefore: [], Fields: [far.fields.note] }],
    ['Defaults.Labels', { FieldsBefore: [], Defaults: { Labels: [99_999] } }],
    ['Defaults.Children', { Label: 'Task', Defaults: { Children: [{ idTemplate: far.templates.bug, Title: 'x' }] } }],
  ] as const) {
    const answer = await server.as(caller, setTicketTemplate, { idProject, idTicketTemplate: project.templates.bug, ...(input as object) })
    expect(answer).toMatchObject(gone(path))
  }
  const made = await server.as(caller, createNewTemplate, { idProject, Label: 'Task', idEntryState: far.states.open, Fields: [] })
  expect(made).toMatchObject(gone('idEntryState'))
  expect(await databaseDigest(server.db)).toBe(before)
})

test('set-ticket-template-order and get-ticket-template-usage [7.37]', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, unpermitted, list } = await setUp()
  const { bug, task } = project.templates
  await makeTicket(server.db, organization, project)
  expect((await server.as(caller, setTicketTemplateOrder, { idProject, SortOrder: [task] })).body).toEqual({ Success: 1 })
  expect(await list()).toEqual(['Task', 'Bug'])
  expect((await server.as(caller, setTicketTemplateOrder, { idProject, SortOrder: [foreign.templates.bug] })).status).toBe(404)
  expect((await server.as(caller, getTicketTemplateUsage, { idProject, ids: [foreign.templates.bug] })).status).toBe(404)
  expect((await server.as(caller, getTicketTemplateUsage, { idProject, ids: [bug, task] })).body).toEqual([
    { id: task, Tickets: 0 },
    { id: bug, Tickets: 1 },
  ])
  const order = { idProject, SortOrder: [bug, task] }
  await expectRefusals(server, setTicketTemplateOrder, {
    input: order,
    caller,
    foreigner,
    unpermitted,
    bad: [[{ ...order, SortOrder: [bug, bug] }, 'SortOrder']],
  })
  await expectRefusals(server, getTicketTemplateUsage, { input: { idProject, ids: [bug] }, caller, foreigner, unpermitted })
})

test('an unused template is deleted, one that tickets have is archived, and both are restored under their names', async () => {
  const { organization, project, idProject, foreign, foreigner, caller, everything, unpermitted, list } = await setUp()
  const { bug, task } = project.templates
  const idTicket = await makeTicket(server.db, organization, project, { templateId: bug })
  const input = { idProject, ids: [bug, task] }
  await expectRefusals(server, deleteTicketTemplates, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [[{ ...input, ids: [bug, bug] }, 'ids']],
  })
  expect((await server.as(caller, deleteTicketTemplates, { idProject, ids: [bug, foreign.templates.bug] })).status).toBe(404)
  expect((await server.as(caller, deleteTicketTemplates, input)).body).toEqual({ Success: 1, Deleted: [task], Archived: [bug] })
  expect([await list(), await list(1)]).toEqual([[], ['Bug']])
  expect((await server.as(everything, getTicketData, { idTicket })).body.Type).toBe('Bug')
  expect((await server.as(everything, createNewTicket, { idProject, idTemplate: bug, Title: 'no' })).status).toBe(422)
  expect((await server.as(everything, createNewTicket, { idProject, idTemplate: task, Title: 'no' })).status).toBe(404)
  expect(
    await server.as(caller, createNewTemplate, { idProject, Label: 'BUG', idEntryState: project.states.open, Fields: [] }),
  ).toMatchObject({ status: 422, body: { code: 'duplicate', error: 'An archived template has the name BUG: restore it instead' } })
  await expectRefusals(server, restoreTicketTemplates, { input: { idProject, ids: [bug] }, caller, foreigner, unpermitted })
  expect((await server.as(caller, restoreTicketTemplates, { idProject, ids: [bug] })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, restoreTicketTemplates, { idProject, ids: [bug, foreign.templates.task] })).status).toBe(404)
  expect([await list(), await list(1)]).toEqual([['Bug'], []])
  expect((await server.as(everything, createNewTicket, { idProject, idTemplate: bug, Title: 'yes' })).status).toBe(200)

  // One that is not named is neither archived nor restored.
  const made = { idProject, Label: 'Old', idEntryState: project.states.open, Fields: [] }
  const { idTicketTemplate: old } = (await server.as(caller, createNewTemplate, made)).body
  await makeTicket(server.db, organization, project, { templateId: old })
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [bug] })
  expect([await list(), await list(1)]).toEqual([['Old'], ['Bug']])
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [old] })
  await server.as(caller, restoreTicketTemplates, { idProject, ids: [bug] })
  expect([await list(), await list(1)]).toEqual([['Bug'], ['Old']])
})

test('a deleted template is restored under its id, with the fields and the initial state that still exist', async () => {
  const { project, idProject, foreign, caller, everything, list } = await setUp()
  const { task } = project.templates
  const { note, size } = project.fields
  const { idField } = (await server.as(everything, createNewTicketField, { idProject, Label: 'Idle', DbKey: 'idle', idControlType: 3 }))
    .body
  await server.as(everything, setTicketTemplate, {
    idProject,
    idTicketTemplate: task,
    idEntryState: project.states.doing,
    Fields: [size, idField, note],
  })
  await server.as(everything, setTicketTemplateOrder, { idProject, SortOrder: [task, project.templates.bug] })
  const input = { idProject, ids: [task] }
  expect((await server.as(caller, deleteTicketTemplates, input)).body.Deleted).toEqual([task])
  await server.as(everything, deleteTicketFields, { idProject, ids: [idField] })
  await server.as(everything, deleteTicketStates, { idProject, ids: [project.states.doing] })
  const { idTicketTemplate } = (
    await server.as(caller, createNewTemplate, { idProject, Label: 'Task', idEntryState: project.states.open, Fields: [] })
  ).body
  const before = await databaseDigest(server.db)
  expect(await server.as(caller, restoreTicketTemplates, input)).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: 'This project already has a template named Task' },
  })
  expect((await server.as(caller, restoreTicketTemplates, { idProject, ids: [foreign.templates.task] })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  await server.as(caller, setTicketTemplate, { idProject, idTicketTemplate, Label: 'Chore' })
  expect(await server.as(caller, restoreTicketTemplates, input)).toMatchObject({
    status: 422,
    body: { code: 'rule', error: 'The state that Task starts in is deleted: restore it first' },
  })
  expect((await server.as(everything, restoreTicketStates, { idProject, ids: [project.states.doing] })).status).toBe(200)
  expect((await server.as(caller, restoreTicketTemplates, input)).body).toEqual({ Success: 1 })
  expect(await list()).toEqual(['Task', 'Bug', 'Chore'])
  expect((await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate: task })).body).toEqual({
    idTicketTemplate: task,
    Label: 'Task',
    idEntryState: project.states.doing,
    Fields: [size, note],
  })
})

test('a template deleted while a ticket of it is created: a created ticket keeps its template', async () => {
  const { project, idProject, everything } = await setUp()
  for (let race = 0; race < rounds(4); race++) {
    const input = { idProject, Label: `Type ${race}`, idEntryState: project.states.open, Fields: [] }
    const { idTicketTemplate } = (await server.as(everything, createNewTemplate, input)).body
    const [deleted, made] = await Promise.all([
      server.as(everything, deleteTicketTemplates, { idProject, ids: [idTicketTemplate] }),
      server.as(everything, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'raced' }),
    ])
    expect(deleted.status).toBe(200)
    expect([200, 404]).toContain(made.status)
    if (made.status === 200) expect(deleted.body.Archived).toEqual([idTicketTemplate])
  }
})
