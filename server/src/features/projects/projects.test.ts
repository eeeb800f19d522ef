import { permission } from '@tessera/contract/permissions'
import {
  createNewState,
  createNewTemplate,
  createNewTicketField,
  deleteTicketFields,
  getTicketFieldList,
  getTicketStateList,
  getTicketTemplateList,
  getUserPermissions,
  restoreTicketFields,
} from '@tessera/contract/projects/project-config'
import {
  createProject,
  createProjectRole,
  deleteProjectRoles,
  getProjectData,
  getProjectList,
  getProjectRoles,
  setProjectData,
  setProjectRole,
  setProjectRoleOrder,
} from '@tessera/contract/projects/projects'
import { searchTickets } from '@tessera/contract/tickets/search'
import { createNewTicket } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject, makeTicket, makeUser } from '../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('create-project: three roles, its creator with every permission, nothing else [3.5] [7.9]', async () => {
  const organization = await makeOrganization(server.db)
  const admin = await server.signedIn(await makeUser(server.db, organization, { login: 'ada', admin: true }), organization)
  const unpermitted = await server.signedIn(await makeUser(server.db, organization, { manager: true }), organization)
  const input = { Title: 'Apollo', ShortCode: 'AP_11' }
  await expectRefusals(server, createProject, {
    input,
    caller: admin,
    unpermitted,
    bad: [
      [{ ...input, Title: '  ' }, 'Title'],
      [{ ...input, Title: 'x'.repeat(201) }, 'Title'],
      ...['', 'A B', 'Ä', 'x'.repeat(17), ' '].map(ShortCode => [{ ...input, ShortCode }, 'ShortCode'] as [unknown, string]),
    ],
  })
  const key = { 'idempotency-key': crypto.randomUUID() }
  const { body } = await server.as(admin, createProject, { Title: ' Apollo ', ShortCode: ` ${input.ShortCode}\n` }, key)
  expect(body).toEqual({ Success: 1, idProject: expect.any(Number) })
  expect((await server.as(admin, createProject, { Title: ' Apollo ', ShortCode: ` ${input.ShortCode}\n` }, key)).body).toEqual(body)
  const { idProject } = body
  expect((await server.as(admin, getProjectData, { idProject })).body).toEqual({
    idProject,
    Title: 'Apollo',
    ShortCode: 'AP_11',
    Archived: 0,
    BlockersHold: 0,
    HasLabels: 0,
    DueField: '',
    Permissions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  })
  expect((await server.as(admin, getUserPermissions, { idProject })).body).toMatchObject([
    { Login: 'ada', Permissions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] },
  ])
  expect((await server.as(admin, getProjectRoles, { idProject })).body.map(({ Description }) => Description)).toEqual([
    'Responsible',
    'Assignee',
    'Reviewer',
  ])
  for (const call of [getTicketStateList, getTicketFieldList, getTicketTemplateList])
    expect((await server.as(admin, call, { idProject })).body).toEqual([])

  const before = await databaseDigest(server.db)
  expect(await server.as(admin, createProject, { Title: 'Other', ShortCode: 'ap_11' })).toMatchObject({
    status: 422,
    body: { Success: 0, code: 'duplicate', error: 'The short code ap_11 is taken in this organization' },
  })
  expect(await databaseDigest(server.db)).toBe(before)
  const elsewhere = await makeOrganization(server.db)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  expect((await server.as(foreigner, createProject, input)).status).toBe(200)
  await expectRefusals(server, getProjectData, { input: { idProject }, caller: admin, foreigner })

  // From nothing to the first ticket.
  const { idState } = (await server.as(admin, createNewState, { idProject, State: 'New', idPhase: 1 })).body
  const template = { idProject, Label: 'Task', idEntryState: idState, Fields: [] }
  const { idTicketTemplate } = (await server.as(admin, createNewTemplate, template)).body
  expect((await server.as(admin, createNewTicket, { idProject, idTemplate: idTicketTemplate, Title: 'First' })).status).toBe(200)
})

test('a super user who does not belong to the organization creates a project there and sees it', async () => {
  const organization = await makeOrganization(server.db)
  const root = await server.signedIn(await makeUser(server.db, null, { super: true }), organization)
  const { idProject } = (await server.as(root, createProject, { Title: 'Apollo', ShortCode: 'AP' })).body
  expect((await server.as(root, getProjectList, {})).body).toEqual([{ idProject, Title: 'Apollo', ShortCode: 'AP' }])
  expect((await server.as(root, getUserPermissions, { idProject })).body).toEqual([])
})

test('50 projects created at once with one short code: one project', async () => {
  const organization = await makeOrganization(server.db)
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  for (let race = 0; race < 50; race++) {
    const answers = await Promise.all(
      ['Code', 'code'].map(prefix => server.as(admin, createProject, { Title: 'Raced', ShortCode: `${prefix}${race}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  }
  const rows = await server.sql<{ projects: number; roles: number }>`
    select count(*)::int as projects, (select count(*)::int from role where organization_id = ${organization}) as roles
    from project where organization_id = ${organization}`
  expect(rows[0]).toEqual({ projects: 50, roles: 150 })
})

test('set-project-data renames, archives and restores; archived takes no change but this', async () => {
  const { organization, project, idProject, someone, foreigner } = await peopledProject(server, { title: 'Apollo', shortCode: 'AP' })
  await makeProject(server.db, organization, { shortCode: 'TAKEN' })
  const caller = await someone([1, 2, 13])
  const set = (input: object) => server.as(caller, setProjectData, { idProject, ...input })
  const data = async () => (await server.as(caller, getProjectData, { idProject })).body

  await expectRefusals(server, setProjectData, {
    input: { idProject, Title: 'Gemini' },
    caller,
    foreigner,
    unpermitted: await someone(allBut(permission.manageProject)),
    bad: [
      [{ idProject, Title: '' }, 'Title'],
      [{ idProject, ShortCode: 'A-B' }, 'ShortCode'],
      [{ idProject, Archived: 2 }, 'Archived'],
    ],
  })
  expect((await set({ ShortCode: 'taken', Title: 'Never' })).body).toMatchObject({ code: 'duplicate' })
  expect((await set({ Title: ' Gemini ', ShortCode: 'ap' })).body).toEqual({ Success: 1 })
  expect(await data()).toMatchObject({ Title: 'Gemini', ShortCode: 'ap', Archived: 0 })
  expect((await set({ Archived: 1 })).body).toEqual({ Success: 1 })
  expect((await set({ Archived: 1 })).body).toEqual({ Success: 1 })
  expect(await data()).toMatchObject({ Archived: 1 })
  const ticket = { idProject, idTemplate: project.templates.bug, Title: 'late' }
  const idRole = project.roles.reviewer
  for (const [call, input] of [
    [createNewTicket, ticket],
    [createProjectRole, { idProject, Role: 'late' }],
    [setProjectRole, { idProject, idRole, Role: 'late' }],
    [setProjectRoleOrder, { idProject, SortOrder: [idRole] }],
    [deleteProjectRoles, { idProject, ids: [idRole] }],
  ] as const)
    expect((await server.as(caller, call, input)).body).toMatchObject({ code: 'rule', error: expect.stringContaining('archived') })
  expect((await set({ Title: 'Mercury' })).body).toEqual({ Success: 1 })
  expect((await set({ Archived: 0 })).body).toEqual({ Success: 1 })
  expect(await data()).toMatchObject({ Title: 'Mercury', Archived: 0 })
  expect((await server.as(caller, createNewTicket, ticket)).status).toBe(200)
  const rows = await server.sql<{ field: string; before: string; after: string }>`
    select field, before, after from change where organization_id = ${organization} and subject = 'project' order by id`
  expect(rows).toEqual([
    { field: 'Title', before: 'Apollo', after: 'Gemini' },
    { field: 'ShortCode', before: 'AP', after: 'ap' },
    { field: 'Archived', before: '0', after: '1' },
    { field: 'Title', before: 'Gemini', after: 'Mercury' },
    { field: 'Archived', before: '1', after: '0' },
  ])
  expect(await makeTicket(server.db, organization, project)).toBeGreaterThan(0)
})

test('set-project-data names the DATE field that says when a ticket is due', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone([1, 2, 3, 8, 13])
  const field = async (DbKey: string, idControlType: number) =>
    (await server.as(caller, createNewTicketField, { idProject, Label: DbKey, DbKey, idControlType })).body.idField
  const [due, deadline] = [await field('Due', 5), await field('deadline', 5)]
  await field('note', 3)
  const set = (DueField: string) => server.as(caller, setProjectData, { idProject, DueField })
  const named = async () => (await server.as(caller, getProjectData, { idProject })).body.DueField
  const late = async () => {
    const { Tickets } = (await server.as(caller, searchTickets, { Query: 'due:<2026-02-01', idProject })).body
    const all = (await server.as(caller, searchTickets, { Query: '', idProject, Due: 1 })).body.Tickets
    expect(Tickets.some(ticket => 'Due' in ticket)).toBe(false)
    // Each ticket says its due date, those without one too.
    expect(all.map(({ Title, Due }) => [Title, Due]).sort()).toEqual(
      ['by its deadline', 'by its due date'].map(title => [title, Tickets.some(({ Title }) => Title === title) ? '2026-01-31' : '']),
    )
    return Tickets.map(({ Title }) => Title)
  }
  for (const [title, fieldId] of [
    ['by its due date', due],
    ['by its deadline', deadline],
  ] as const) {
    const ticket = await makeTicket(server.db, organization, project, { title })
    await server.sql`insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${ticket}, ${fieldId}, '2026-01-31')`
  }

  // A field with this key says so until another is chosen, or none.
  expect([await named(), await late()]).toEqual(['Due', ['by its due date']])
  for (const DueField of ['note', 'unknown']) {
    const refused = await set(DueField)
    expect([refused.status, refused.body]).toMatchObject([400, { fields: [{ path: 'DueField' }] }])
  }
  expect(await named()).toBe('Due')
  expect((await set('deadline')).status).toBe(200)
  expect([await named(), await late()]).toEqual(['deadline', ['by its deadline']])
  expect((await set('')).status).toBe(200)
  expect([await named(), await late()]).toEqual(['', []])

  // A deleted field says nothing any more; what brings it back brings this back too.
  await set('deadline')
  expect((await server.as(caller, deleteTicketFields, { idProject, ids: [deadline] })).status).toBe(200)
  expect([await named(), await late()]).toEqual(['', []])
  expect((await set('deadline')).status).toBe(400)
  expect((await server.as(caller, restoreTicketFields, { idProject, ids: [deadline] })).status).toBe(200)
  expect([await named(), await late()]).toEqual(['deadline', ['by its deadline']])
  const rows = await server.sql<{ before: string; after: string }>`
    select before, after from change where organization_id = ${organization} and subject = 'project' and field = 'DueField' order by id`
  expect(rows.map(({ before, after }) => [before, after])).toEqual([
    ['Due', 'deadline'],
    ['deadline', ''],
    ['', 'deadline'],
  ])
})
