import { permission, setUpPermissions } from '@tessera/contract/permissions'
import { getLabelList, setLabel } from '@tessera/contract/projects/labels'
import {
  createNewState,
  createNewTicketField,
  deleteTicketFields,
  deleteTicketTemplates,
  getStateTransitions,
  getTicketFieldList,
  getTicketStateList,
  getTicketTemplate,
  getTicketTemplateList,
  setStateTransitions,
  setTicketFieldOrder,
  setTicketState,
  setTicketStateOrder,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { copyProjectSetUp } from '@tessera/contract/projects/project-set-up'
import {
  createProject,
  createProjectRole,
  getProjectData,
  getProjectRoles,
  setProjectData,
  setProjectRoleOrder,
} from '@tessera/contract/projects/projects'
import { createNewTicket, getTicketData, getTicketList } from '@tessera/contract/tickets/tickets'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeMember, makeTicket } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

let projects = 0
/** A configured project, whose members can be given rights in a new one that its administrator has just created. */
async function setUp() {
  const made = await peopledProject(server)
  const admin = await made.someone('all', { admin: true })
  const newProject = async () =>
    (await server.as(admin, createProject, { Title: 'New', ShortCode: `NEW${++projects}` })).body.idProject as number
  const idProject = await newProject()
  const join = (idUser: number, permissions: readonly number[] | 'all') =>
    makeMember(server.db, made.organization, idProject, idUser, permissions)
  const copy = (caller: Caller = admin, to = idProject) => server.as(caller, copyProjectSetUp, { idProject: to, idFrom: made.idProject })
  return { ...made, admin, idFrom: made.idProject, idProject, newProject, join, copy }
}

type Defaults = Record<string, unknown> & { data?: Record<string, string> | undefined }

/** Everything that the calls of the configuration say about a project, with names instead of ids; and the ids. */
async function readSetUp(caller: Caller, idProject: number) {
  const ask = async <C extends Parameters<typeof server.as>[1]>(call: C, input: object = {}) =>
    (await server.as(caller, call, { idProject, ...input })).body
  const [states, fields, roles] = [await ask(getTicketStateList), await ask(getTicketFieldList), await ask(getProjectRoles)]
  const [labels, templates] = [await ask(getLabelList), await ask(getTicketTemplateList)]
  const { Transitions } = await ask(getStateTransitions)
  const { BlockersHold, DueField } = await ask(getProjectData)
  const own = labels.filter(({ Scope }) => Scope === 'project')
  const idsOf = { state: states, field: fields, role: roles }
  const ids = [
    ...Object.entries(idsOf).flatMap(([kind, rows]) => rows.map(({ id }) => `${kind} ${id}`)),
    ...templates.map(({ idTicketTemplate }) => `template ${idTicketTemplate}`),
    ...own.map(({ idLabel }) => `label ${idLabel}`),
  ]
  const stateName = (wanted: number) => states.find(({ id }) => id === wanted)?.Description
  const templateName = (wanted: number) => templates.find(({ idTicketTemplate }) => idTicketTemplate === wanted)?.Description
  const whole: { Label: string; entryState: string | undefined; fields: unknown[]; defaults: Defaults }[] = []
  for (const { idTicketTemplate } of templates) {
    const { Label, idEntryState, Fields, Defaults = {} } = await ask(getTicketTemplate, { idTicketTemplate })
    whole.push({
      Label,
      entryState: stateName(idEntryState),
      fields: Fields.map(wanted => fields.find(({ id }) => id === wanted)?.Key),
      defaults: {
        ...Defaults,
        Labels: Defaults.Labels?.map(wanted => labels.find(({ idLabel }) => idLabel === wanted)?.Label),
        Children: Defaults.Children?.map(({ idTemplate, Title }) => [templateName(idTemplate), Title]),
      },
    })
  }
  const setUp = {
    states: states.map(({ id: _, ...state }) => state),
    fields: fields.map(({ id: _, ...field }) => field),
    roles: roles.map(({ Description }) => Description),
    labels: own.map(({ Label, Color }) => [Label, Color]),
    transitions: Transitions.map(({ from, to }) => [stateName(from), stateName(to)]).sort(),
    templates: whole,
    settings: { BlockersHold, DueField },
  }
  return { setUp, ids }
}

test('the whole set-up is copied, and the first ticket begins as it would in the other project', async () => {
  const { organization, project, idFrom, idProject, admin, copy } = await setUp()
  const { states, fields, templates, roles } = project
  const change = async (call: Parameters<typeof server.as>[1], input: object) => {
    const answer = await server.as(admin, call, { idProject: idFrom, ...input })
    expect([call.name, answer.status]).toEqual([call.name, 200])
    return answer.body as Record<string, number>
  }
  const due = await makeField(server.db, organization, project, 'until', 'DATE', { label: 'Until' })
  const owner = await makeField(server.db, organization, project, 'owner', 'USER', { label: 'Owner' })
  const old = await makeField(server.db, organization, project, 'old', 'TEXT')
  await change(setTicketFieldOrder, { SortOrder: [due, fields.size, owner] })
  await change(setTicketStateOrder, { SortOrder: [states.done, states.open] })
  await change(setTicketState, { idState: states.doing, State: 'Ｄoing İt', Limit: 3, LimitHolds: 1 })
  await change(setStateTransitions, {
    Transitions: [
      { from: states.open, to: states.doing },
      { from: states.doing, to: states.done },
    ],
  })
  await change(createProjectRole, { Role: 'Tester' })
  await change(setProjectRoleOrder, { SortOrder: [roles.reviewer] })
  const { idLabel: red } = await change(setLabel, { Label: 'red', Color: '#cc0000' })
  const { idLabel: wide } = await change(setLabel, { Label: 'everywhere', Scope: 'organization' })
  await change(setProjectData, { BlockersHold: 1, DueField: 'until' })
  await change(setTicketTemplate, {
    idTicketTemplate: templates.bug,
    Defaults: {
      Title: 'Report',
      data: { until: '2027-01-01', size: 'l', owner: String(admin.idUser), old: 'x' },
      Labels: [red, wide],
      Children: [{ idTemplate: templates.task, Title: 'Test it' }],
    },
  })
  // Both are in use, so they are archived; and so are their places in the template and its defaults.
  const ticket = await makeTicket(server.db, organization, project, { templateId: templates.task })
  await server.sql`insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${ticket}, ${old}, 'x')`
  const retired = (
    await server.sql<{ id: number }>`
      insert into template (organization_id, project_id, name, entry_state_id, position)
      values (${organization}, ${idFrom}, 'Retired', ${states.open}, 0) returning id`
  )[0]?.id
  await makeTicket(server.db, organization, project, { templateId: retired as number })
  await change(deleteTicketTemplates, { ids: [retired] })
  await change(deleteTicketFields, { ids: [old] })

  const source = await readSetUp(admin, idFrom)
  expect(await copy()).toMatchObject({
    status: 200,
    body: { Success: 1, States: 3, Transitions: 2, Fields: 4, Templates: 2, Roles: 4, Labels: 1 },
  })
  const copied = await readSetUp(admin, idProject)
  // A person is no default of the copy.
  const [bug, task] = source.setUp.templates
  const { owner: person, ...data } = bug?.defaults.data ?? {}
  expect(person).toBe(String(admin.idUser))
  expect(copied.setUp).toEqual({ ...source.setUp, templates: [{ ...bug, defaults: { ...bug?.defaults, data } }, task] })
  expect(copied.ids.filter(id => source.ids.includes(id))).toEqual([])

  const [first] = (await server.as(admin, getTicketTemplateList, { idProject })).body
  const [idTicket] = (await server.as(admin, createNewTicket, { idProject, idTemplate: first?.idTicketTemplate })).body
  expect((await server.as(admin, getTicketData, { idTicket })).body).toMatchObject({ Title: 'Report' })
  expect((await server.as(admin, getTicketList, { idProject, idParent: idTicket })).body).toHaveLength(1)
})

test('the history has what was copied and which roles it replaced, in one change set', async () => {
  const { organization, idProject, copy } = await setUp()
  expect((await copy()).status).toBe(200)
  const rows = await server.sql<{ subject: string; field: string; gone: boolean; rows: number }>`
    select subject, field, after is null as gone, count(*)::int as rows from change
    where organization_id = ${organization} and project_id = ${idProject} and change_set_id = (
      select max(change_set_id) from change where organization_id = ${organization} and project_id = ${idProject})
    group by 1, 2, 3 order by 1, 2, 3`
  expect(rows.map(({ subject, field, gone, rows: count }) => `${subject} ${field} ${gone ? '-' : '+'}${count}`)).toEqual([
    ...['field Key +2', 'field Label +2', 'field Options +1', 'field Type +2'],
    ...['role Name +3', 'role Name -3', 'role Position -3', 'state Name +3', 'state Phase +3'],
    ...['template EntryState +2', 'template Fields +2', 'template Name +2'],
  ])
})

test('who may not configure all of it, or not see the other project, copies nothing', async () => {
  const { foreign, foreigner, someone, idFrom, idProject, admin, join, copy } = await setUp()
  const input = { idProject, idFrom }
  await expectRefusals(server, copyProjectSetUp, {
    input,
    caller: admin,
    foreigner,
    bad: [
      [{ idProject }, 'idFrom'],
      [{ idProject, idFrom: '1' }, 'idFrom'],
      [{ idProject, idFrom: idProject }, 'idFrom'],
    ],
  })
  const refused: [Caller, number][] = []
  for (const missing of setUpPermissions) {
    const caller = await someone([1])
    await join(caller.idUser, allBut(missing))
    refused.push([caller, 422])
  }
  const blind = await someone(allBut(permission.viewTickets))
  await join(blind.idUser, 'all')
  refused.push([blind, 404])
  const before = await databaseDigest(server.db)
  for (const [caller, status] of refused) expect((await copy(caller)).status).toBe(status)
  for (const other of [foreign.projectId, 987_654_321])
    expect(await server.as(admin, copyProjectSetUp, { idProject, idFrom: other })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  expect(await databaseDigest(server.db)).toBe(before)

  // What the single calls ask for is enough, without any right in the other project but to see it.
  const caller = await someone([1])
  await join(caller.idUser, [1, 8, 9, 10, 13])
  expect((await copy(caller)).status).toBe(200)
})

test('a project that has something already, or is archived, is refused and stays as it is', async () => {
  const { idFrom, admin, newProject, copy } = await setUp()
  const things = [
    ['states', createNewState, { State: 'Open', idPhase: 1 }],
    ['fields', createNewTicketField, { Label: 'Size', DbKey: 'size', idControlType: 3 }],
    ['roles of its own', createProjectRole, { Role: 'Tester' }],
  ] as const
  for (const [named, call, input] of things) {
    const idProject = await newProject()
    expect((await server.as(admin, call, { idProject, ...input })).status).toBe(200)
    const before = await databaseDigest(server.db)
    expect(await copy(admin, idProject)).toMatchObject({ status: 422, body: { code: 'rule', error: expect.stringContaining(named) } })
    expect(await databaseDigest(server.db)).toBe(before)
  }
  const archived = await newProject()
  await server.as(admin, setProjectData, { idProject: archived, Archived: 1 })
  expect(await copy(admin, archived)).toMatchObject({ status: 422, body: { error: expect.stringContaining('archived') } })
  // The other one may be archived.
  await server.as(admin, setProjectData, { idProject: idFrom, Archived: 1 })
  expect((await copy(admin, await newProject())).status).toBe(200)
})

test('a label that the project already has stays as it is, and becomes the label of the defaults', async () => {
  const { project, idFrom, idProject, admin, copy } = await setUp()
  const { idLabel: theirs } = (await server.as(admin, setLabel, { idProject: idFrom, Label: 'Red', Color: '#cc0000' })).body
  const { idLabel } = (await server.as(admin, setLabel, { idProject, Label: 'red', Color: '#ee1111' })).body
  await server.as(admin, setTicketTemplate, {
    idProject: idFrom,
    idTicketTemplate: project.templates.bug,
    Defaults: { Labels: [theirs] },
  })
  expect((await copy()).body).toMatchObject({ Success: 1, Labels: 0 })
  expect((await server.as(admin, getLabelList, { idProject })).body).toMatchObject([{ idLabel, Label: 'red', Color: '#ee1111' }])
  const [bug] = (await server.as(admin, getTicketTemplateList, { idProject })).body
  const { idTicketTemplate } = bug ?? {}
  expect((await server.as(admin, getTicketTemplate, { idProject, idTicketTemplate })).body).toMatchObject({
    Defaults: { Labels: [idLabel] },
  })
})

test('of two copies at once one wins', async () => {
  const { idFrom, idProject, admin, copy } = await setUp()
  const answers = await Promise.all([copy(), copy()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await readSetUp(admin, idProject)).setUp).toEqual((await readSetUp(admin, idFrom)).setUp)
})

test.each<
  [string, status: number, (ids: { organization: number; idProject: number; idFrom: number; idUser: number }) => RawBuilder<unknown>]
>([
  [
    'Manage templates was revoked',
    422,
    ({ organization, idProject, idUser }) => sql`
      update project_member set permissions = 1 | 128 | 256 | 4096
      where organization_id = ${organization} and project_id = ${idProject} and user_id = ${idUser}`,
  ],
  [
    'the caller left the other project',
    404,
    ({ organization, idFrom, idUser }) => sql`
      delete from project_member where organization_id = ${organization} and project_id = ${idFrom} and user_id = ${idUser}`,
  ],
  [
    'somebody created a state',
    422,
    ({ organization, idProject }) => sql`
      insert into state (organization_id, project_id, name, phase, position) values (${organization}, ${idProject}, 'Own', 1, 0)`,
  ],
])('nothing is copied when, while the copy waited, %s', async (_, status, change) => {
  for (const lockOf of ['idProject', 'idFrom'] as const) {
    const { organization, someone, idFrom, idProject, join, copy } = await setUp()
    const caller = await someone('all')
    await join(caller.idUser, 'all')
    const late = await server.db.transaction().execute(async holder => {
      const locked = { idProject, idFrom }[lockOf]
      await sql`select pg_advisory_xact_lock(hashtextextended('project configuration', ${locked}::bigint))`.execute(holder)
      const answer = copy(caller)
      await expect.poll(() => lockWaits(server.db)).toBe(1)
      await change({ organization, idProject, idFrom, idUser: caller.idUser }).execute(holder)
      return { answer }
    })
    expect((await late.answer).status).toBe(status)
    expect(await server.sql`select 1 from template where organization_id = ${organization} and project_id = ${idProject}`).toEqual([])
  }
})
