import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { deleteLabels } from '@tessera/contract/projects/labels'
import {
  createNewTicketField,
  deleteTicketFields,
  deleteTicketTemplates,
  getTicketTemplate,
  propertyType,
  restoreTicketFields,
  restoreTicketTemplates,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { createNewTicket, getTicketData, getTicketHistory, getTicketList } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket, makeUser } from '../../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../../test/fixtures/recount.ts'
import { databaseDigest, expectRefusals } from '../../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, project, idProject, someone } = made
  const caller = await someone([1, 2, 8, 10])
  const label = async (name: string, projectId: number | null = idProject) =>
    (
      await server.db
        .insertInto('label')
        .values({ organization_id: organization, project_id: projectId, name, color: '#00aa77' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const { bug, task } = project.templates
  return {
    ...made,
    ...{ caller, bug, task, label },
    set: (idTicketTemplate: number, Defaults: object) => server.as(caller, setTicketTemplate, { idProject, idTicketTemplate, Defaults }),
    get: async (idTicketTemplate: number) => (await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate })).body,
    create: (input: { idTemplate: number; Title?: string; idParent?: number }) =>
      server.as(caller, createNewTicket, { idProject, ...input }),
    ticket: async (idTicket: number) => (await server.as(caller, getTicketData, { idTicket })).body,
    children: async (idParent: number) => (await server.as(caller, getTicketList, { idProject, idParent })).body,
  }
}

test('fields and defaults that somebody else changed since they were read are refused with the stored ones', async () => {
  const { project, idProject, caller, bug, label, set, get } = await setUp()
  const red = await label('red')
  await set(bug, { Title: 'Report', Labels: [red] })
  await server.as(caller, deleteLabels, { idProject, ids: [red] })
  const { Fields, Defaults } = await get(bug)
  expect(Defaults).toEqual({ Title: 'Report' })
  const save = (input: object) => server.as(caller, setTicketTemplate, { idProject, idTicketTemplate: bug, ...input })
  const theirs = [project.fields.note]
  expect((await save({ Fields: theirs, FieldsBefore: Fields, DefaultsBefore: Defaults })).body).toEqual({ Success: 1 })
  const before = await databaseDigest(server.db)
  const stored = { status: 409, body: { code: 'conflict', Fields: theirs, Defaults: { Title: 'Report' } } }
  expect(await save({ Fields: [], FieldsBefore: Fields })).toMatchObject(stored)
  expect(await save({ Defaults: {}, DefaultsBefore: { Title: 'Older' } })).toMatchObject(stored)
  expect(await databaseDigest(server.db)).toBe(before)
  expect((await save({ Defaults: {}, DefaultsBefore: Defaults })).body).toEqual({ Success: 1 })
})

test("a template's defaults are stored and replaced as a whole, and refused when they name something that does not exist", async () => {
  const { organization, project, idProject, foreign, foreigner, someone, caller, bug, task, label, set, get } = await setUp()
  const [red, everywhere] = [await label('red'), await label('everywhere', null)]
  const Defaults = {
    Title: 'Report',
    data: { note: 'Steps:\r\n1. ', size: 'l' },
    Labels: [red, everywhere],
    Children: [{ idTemplate: task, Title: ' Test it ' }],
  }
  await expectRefusals(server, setTicketTemplate, {
    input: { idProject, idTicketTemplate: bug, Defaults },
    caller,
    foreigner,
    unpermitted: await someone(allBut(permission.manageTemplates)),
    bad: [
      [{ idProject, idTicketTemplate: bug, Defaults: { Title: '' } }, 'Defaults.Title'],
      [{ idProject, idTicketTemplate: bug, Defaults: { Labels: [red, red] } }, 'Defaults.Labels'],
      [
        { idProject, idTicketTemplate: bug, Defaults: { Children: Array.from({ length: 51 }, () => ({ idTemplate: task, Title: 'x' })) } },
        'Defaults.Children',
      ],
      [{ idProject, idTicketTemplate: bug, Defaults: { Assignees: [] } }, 'Defaults.Assignees'],
      [{ idProject, idTicketTemplate: bug, Defaults: { data: { size: 'xxl' } } }, 'Defaults.data.size'],
    ],
  })
  const before = await databaseDigest(server.db)
  const strange = [
    { data: { nothing: 'x' } },
    { Labels: [red, 987_654_321] },
    { Children: [{ idTemplate: foreign.templates.bug, Title: 'x' }] },
    { Children: [{ idTemplate: 987_654_321, Title: 'x' }] },
  ]
  for (const Strange of strange) expect((await set(bug, Strange)).status, JSON.stringify(Strange)).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)

  expect(await get(bug)).not.toHaveProperty('Defaults')
  expect((await set(bug, Defaults)).status).toBe(200)
  const stored = { ...Defaults, data: { note: 'Steps:\n1. ', size: 'l' }, Children: [{ idTemplate: task, Title: 'Test it' }] }
  expect((await get(bug)).Defaults).toEqual(stored)
  // Another change of the template leaves them; a field that leaves it hides its value.
  await server.as(caller, setTicketTemplate, { idProject, idTicketTemplate: bug, Label: 'Defect', Fields: [project.fields.size] })
  expect((await get(bug)).Defaults).toEqual({ ...stored, data: { size: 'l' } })
  expect((await set(bug, { Labels: [red] })).status).toBe(200)
  expect((await get(bug)).Defaults).toEqual({ Labels: [red] })
  // Neither null nor an empty list is a default.
  await server.sql`update field set type_id = ${propertyType.MULTISELECT} where organization_id = ${organization} and id = ${project.fields.size}`
  for (const nothing of [{ data: { size: '[]' } }, {}]) {
    expect((await set(bug, nothing)).status).toBe(200)
    const template = server.db.selectFrom('template').select('defaults').where('organization_id', '=', organization).where('id', '=', bug)
    expect(await template.executeTakeFirst()).toEqual({ defaults: null })
    expect(await get(bug)).not.toHaveProperty('Defaults')
    await set(bug, { Labels: [red] })
  }
})

test('a new ticket gets the defaults of its template, its children theirs, in one change set', async () => {
  const { organization, project, caller, bug, task, label, set, create, ticket, children } = await setUp()
  const red = await label('red')
  await set(bug, {
    Title: 'Report',
    data: { note: 'Steps', size: 'l' },
    Labels: [red],
    Children: [
      { idTemplate: task, Title: 'Reproduce' },
      { idTemplate: task, Title: 'Mend' },
    ],
  })
  // Below itself: the second level has no children any more.
  await set(task, { data: { size: 's' }, Children: [{ idTemplate: task, Title: 'Check' }] })
  const parent = await makeTicket(server.db, organization, project)
  const answer = await create({ idTemplate: bug, Title: 'Crash', idParent: parent })
  expect(answer).toMatchObject({ status: 200 })
  const [idTicket = 0] = answer.body
  const made = await ticket(idTicket)
  expect(made).toMatchObject({ Title: 'Crash', idParent: parent, State: 'Open', Labels: [{ idLabel: red, Label: 'red' }] })
  expect(Object.fromEntries(made.Fields.map(({ Key, Value }) => [Key, Value]))).toEqual({ note: 'Steps', size: 'l' })
  const first = await children(idTicket)
  expect(first.map(({ Title }) => Title)).toEqual(['Reproduce', 'Mend'])
  for (const { id } of first) {
    expect((await ticket(id)).Fields.find(({ Key }) => Key === 'size')?.Value).toBe('s')
    const second = await children(id)
    expect(second.map(({ Title }) => Title)).toEqual(['Check'])
    expect(await children(second[0]?.id ?? 0)).toEqual([])
  }
  const { Changes } = (await server.as(caller, getTicketHistory, { idTicket })).body
  expect(Changes.map(({ Field, After }) => [Field, After]).sort()).toEqual([
    ['Label', 'red'],
    ['Ticket', 'Crash'],
    ['data.note', 'Steps'],
    ['data.size', 'Large'],
  ])
  const rows = await server.sql<{ sets: number; tickets: number }>`
    select count(distinct change_set_id)::int as sets, count(distinct ticket_id)::int as tickets from change
    where organization_id = ${organization} and subject = 'ticket'`
  expect(rows).toEqual([{ sets: 1, tickets: 5 }])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)

  const [untitled = 0] = (await create({ idTemplate: bug })).body
  expect((await ticket(untitled)).Title).toBe('Report')
  expect(await create({ idTemplate: task })).toMatchObject({ status: 400, body: { fields: [{ path: 'Title' }] } })
  const key = { 'idempotency-key': '6f1c6a52-6a0d-4ab4-b2a0-6a4f9c1d7d11' }
  const twice = () => server.as(caller, createNewTicket, { idProject: made.idProject, idTemplate: bug, Title: 'Once' }, key)
  expect((await twice()).body).toEqual((await twice()).body)
})

test('defaults that were deleted since are left out; nothing is created if a child would be too deep or the permission is missing', async () => {
  const { organization, project, idProject, someone, caller, bug, task, label, set, create, ticket, children } = await setUp()
  const [red, blue] = [await label('red'), await label('blue')]
  const gone = await makeUser(server.db, organization)
  const member = await makeMember(server.db, organization, idProject, gone, [1])
  await server.sql`update field set type_id = 8 where organization_id = ${organization} and key = 'note'`
  const Children = [
    { idTemplate: task, Title: 'Never' },
    { idTemplate: bug, Title: 'Again' },
  ]
  expect((await set(bug, { data: { note: String(gone), size: 'l' }, Labels: [red, blue], Children })).status).toBe(200)
  // Now a member of another project.
  const { projectId: project_id } = await makeProject(server.db, organization)
  await server.sql`update project_member set project_id = ${project_id} where organization_id = ${organization} and id = ${member}`
  await server.as(caller, deleteLabels, { idProject, ids: [red] })
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [task] })
  const [idTicket = 0] = (await create({ idTemplate: bug, Title: 'Crash' })).body
  const made = await ticket(idTicket)
  expect(made.Labels.map(({ Label }) => Label)).toEqual(['blue'])
  expect(Object.fromEntries(made.Fields.map(({ Key, Value }) => [Key, Value]))).toEqual({ note: '', size: 'l' })
  expect((await children(idTicket)).map(({ Title }) => Title)).toEqual(['Again'])

  let parent: number | undefined
  for (let level = 0; level <= 18; level++)
    parent = await makeTicket(server.db, organization, project, { ...(parent !== undefined && { parentId: parent }) })
  const viewer = await someone(allBut(permission.createTickets))
  const before = await databaseDigest(server.db)
  expect(await create({ idTemplate: bug, Title: 'Too deep', idParent: parent as number })).toMatchObject({
    status: 422,
    body: { code: 'rule', error: 'A ticket has at most 20 tickets above it' },
  })
  expect((await server.as(viewer, createNewTicket, { idProject, idTemplate: bug })).status).toBe(422)
  expect((await create({ idTemplate: task, Title: 'Gone' })).status).toBe(404)
  // A template that was deleted does not exist; one in use is archived, and the refusal says so.
  expect((await set(bug, { Children: [{ idTemplate: task, Title: 'Gone' }] })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  await server.sql`update template set archived_at = now() where organization_id = ${organization} and id = ${bug}`
  expect(await set(bug, { Children: [{ idTemplate: bug, Title: 'Old' }] })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'Defaults.Children.0.idTemplate', message: 'is archived: no tickets are created from it' }] },
  })
})

test('deleting a template deletes its defaults, and UNDO restores them', async () => {
  const { idProject, caller, task, set, get } = await setUp()
  await set(task, { Title: 'Do it', data: { size: 's' } })
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [task] })
  expect((await server.as(caller, restoreTicketTemplates, { idProject, ids: [task] })).status).toBe(200)
  expect((await get(task)).Defaults).toEqual({ Title: 'Do it', data: { size: 's' } })
})

test('a default belongs to its field: another field with the same database key does not inherit it, an undo restores it', async () => {
  const { project, idProject, someone, bug, task } = await setUp()
  const caller = await someone('all')
  const make = async () =>
    (await server.as(caller, createNewTicketField, { idProject, Label: 'Cost', DbKey: 'cost', idControlType: 3 })).body.idField
  const save = async (idTicketTemplate: number, input: object) =>
    expect((await server.as(caller, setTicketTemplate, { idProject, idTicketTemplate, ...input })).status).toBe(200)
  const get = async (idTicketTemplate: number) =>
    (await server.as(caller, getTicketTemplate, { idProject, idTicketTemplate })).body.Defaults
  const { note, size } = project.fields
  const old = await make()
  const fill = async (template: number) => {
    await save(template, { Fields: [note, size, old], Defaults: { data: { cost: '5', size: 'l' } } })
    await save(template, { Fields: [note, size] })
  }
  await fill(bug)
  await save(task, { Fields: [old], Defaults: { data: { cost: '7' } } })
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [task] })
  // Deleted and back: the default as well.
  const remove = async (id: number) =>
    expect((await server.as(caller, deleteTicketFields, { idProject, ids: [id] })).body.Deleted).toEqual([id])
  await remove(old)
  expect((await server.as(caller, restoreTicketFields, { idProject, ids: [old] })).status).toBe(200)
  await save(bug, { Fields: [note, size, old] })
  expect(await get(bug)).toEqual({ data: { cost: '5', size: 'l' } })
  await save(bug, { Fields: [note, size] })

  await remove(old)
  const other = await make()
  await save(bug, { Fields: [note, size, other] })
  expect(await get(bug)).toEqual({ data: { size: 'l' } })
  // Nor does it come with a template that is restored.
  expect((await server.as(caller, restoreTicketTemplates, { idProject, ids: [task] })).status).toBe(200)
  await save(task, { Fields: [other] })
  expect(await get(task)).toBeUndefined()
  await save(task, { Defaults: { data: { cost: '9' } } })
  await server.as(caller, deleteTicketTemplates, { idProject, ids: [task] })
  await server.as(caller, restoreTicketTemplates, { idProject, ids: [task] })
  expect(await get(task)).toEqual({ data: { cost: '9' } })
})

test('a template whose tickets would have too much text is refused; one that exceeds it by its children creates nothing', async () => {
  const { bug, task, set, create, children } = await setUp()
  const Children = Array.from({ length: limits.childrenOfTemplate }, (_, at) => ({ idTemplate: task, Title: `Child ${at}` }))
  const texts = (bytes: number) => ({ data: { note: 'x'.repeat(bytes) } })
  expect((await set(bug, { Children })).status).toBe(200)
  // A single child is within the limit; the fifty are not.
  expect((await set(task, texts(100_000))).status).toBe(200)
  const error = 'This template makes 51 tickets with 4.8 MB of text, and 2.0 MB is the most: give it fewer children, or shorter texts'
  const refused = { status: 422, body: { code: 'rule', error } }
  expect(await create({ idTemplate: bug, Title: 'Large' })).toMatchObject(refused)
  expect(await set(bug, { Title: 'Large', Children })).toMatchObject(refused)
  const tickets = 1 + limits.childrenOfTemplate + limits.childrenOfTemplate ** 2
  const most = Math.floor(limits.templateBytes / tickets) - 64 - 'Child 00'.length
  expect(await set(task, { ...texts(most + 2), Children })).toMatchObject({ status: 422 })
  expect((await set(task, { ...texts(most), Children })).status).toBe(200)
  const { status, body } = await create({ idTemplate: bug, Title: 'Whole' })
  expect(status).toBe(200)
  expect(await children(body[0] as number)).toHaveLength(limits.childrenOfTemplate)
})
