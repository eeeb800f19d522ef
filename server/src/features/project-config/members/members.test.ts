import { setUserDataAdmin } from '@tessera/contract/people/users'
import { permission } from '@tessera/contract/permissions'
import { setUserPermission } from '@tessera/contract/projects/project-config'
import {
  addProjectMember,
  getProjectData,
  getProjectMemberCandidates,
  getProjectMembers,
  removeProjectMember,
  restoreProjectMember,
} from '@tessera/contract/projects/projects'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeAssignment, makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, elsewhere, foreign, foreigner } = made
  const named = (login: string) => ({ login: `${login}-${organization}` })
  return {
    ...made,
    someone: (login: string, permissions: readonly number[] | 'all', fullName = '') =>
      made.someone(permissions, { ...named(login), fullName }),
    foreignUser: foreigner.idUser,
    foreignMember: await makeMember(server.db, elsewhere, foreign.projectId, foreigner.idUser),
    admin: await server.signedIn(await makeUser(server.db, organization, { ...named('admin'), admin: true }), organization),
  }
}

test('members by login, and the candidates who are not members', async () => {
  const { organization, idProject, someone, foreigner, admin } = await setUp()
  const zoe = await someone('Zoe', [1, 13], 'Zoe Zimmer')
  const amy = await someone('amy', [1])
  const outsider = await makeUser(server.db, organization, { login: `Otto-${organization}`, fullName: 'Otto Out' })
  const gone = await makeUser(server.db, organization)
  await server.sql`update user_account set disabled = true where id = ${gone}`
  expect((await server.as(amy, getProjectMembers, { idProject })).body).toEqual([
    { idProjectMember: amy.idProjectMember, idUser: amy.idUser, Login: `amy-${organization}`, FullName: '', Permissions: [1] },
    {
      idProjectMember: zoe.idProjectMember,
      idUser: zoe.idUser,
      Login: `Zoe-${organization}`,
      FullName: 'Zoe Zimmer',
      Permissions: [1, 13],
    },
  ])
  expect((await server.as(zoe, getProjectMemberCandidates, { idProject })).body).toEqual([
    { id: admin.idUser, LoginName: `admin-${organization}`, FullName: '' },
    { id: outsider, LoginName: `Otto-${organization}`, FullName: 'Otto Out' },
  ])
  await expectRefusals(server, getProjectMembers, { input: { idProject }, caller: amy, foreigner })
  await expectRefusals(server, getProjectMemberCandidates, { input: { idProject }, caller: zoe, foreigner, unpermitted: amy })
})

test('add-project-member: contributor’s permissions, once, none that the caller lacks, nobody of another organization', async () => {
  const { organization, idProject, someone, foreigner, foreignUser, admin } = await setUp()
  const caller = await someone('caller', [1, 3, 13])
  const person = () => makeUser(server.db, organization)
  const [first, second, third, fourth] = [await person(), await person(), await person(), await person()]
  const unpermitted = await someone('unpermitted', allBut(permission.manageProject))
  await expectRefusals(server, addProjectMember, {
    input: { idProject, idUser: first },
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ idProject }, 'idUser'],
      [{ idProject, idUser: first, Permissions: [1, 13] }, 'Permissions.1'],
      [{ idProject, idUser: first, Permissions: [] }, 'Permissions'],
    ],
  })
  expect((await server.as(caller, addProjectMember, { idProject, idUser: foreignUser })).status).toBe(404)
  const { body } = await server.as(admin, addProjectMember, { idProject, idUser: first })
  expect(body).toEqual({ Success: 1, idProjectMember: expect.any(Number), Added: 1 })
  const before = await databaseDigest(server.db)
  expect((await server.as(admin, addProjectMember, { idProject, idUser: first })).body).toEqual({ ...body, Added: 0 })
  expect(await databaseDigest(server.db)).toBe(before)
  await server.as(caller, addProjectMember, { idProject, idUser: second })
  await server.as(admin, addProjectMember, { idProject, idUser: third, Permissions: [1, 6] })
  await server.as(caller, addProjectMember, { idProject, idUser: fourth, Permissions: [1, 6] })
  const permissions = async (idUser: number) =>
    (await server.as(admin, getProjectMembers, { idProject })).body.find(member => member.idUser === idUser)?.Permissions
  const all = [await permissions(first), await permissions(second), await permissions(third), await permissions(fourth)]
  expect(all).toEqual([[1, 2, 3, 4, 6, 7], [1, 3], [1, 6], [1]])
  const rows = await server.sql<{ subject_id: number; before: string | null; after: string | null }>`
    select subject_id, before, after from change where organization_id = ${organization} and field = 'Member' order by id`
  expect(rows).toEqual([
    { subject_id: first, before: null, after: String(first) },
    { subject_id: second, before: null, after: String(second) },
    { subject_id: third, before: null, after: String(third) },
    { subject_id: fourth, before: null, after: String(fourth) },
  ])
})

test('two people add the same person at once, 20 times: one membership', async () => {
  const { organization, idProject, someone, admin } = await setUp()
  const caller = await someone('caller', 'all')
  for (let race = 0; race < 20; race++) {
    const idUser = await makeUser(server.db, organization)
    const answers = await Promise.all([
      server.as(admin, addProjectMember, { idProject, idUser }),
      server.as(caller, addProjectMember, { idProject, idUser }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0].body.idProjectMember).toBe(answers[1].body.idProjectMember)
    expect(answers.map(({ body }) => body.Added).sort()).toEqual([0, 1])
  }
})

test('a removed member loses the roles on tickets, with history, and access at once', async () => {
  const { organization, project, idProject, someone, foreigner, foreignMember } = await setUp()
  const caller = await someone('caller', [1, 5, 13])
  const leaver = await someone('leaver', [1, 2])
  const other = await makeProject(server.db, organization)
  await makeMember(server.db, organization, other.projectId, leaver.idUser)
  const idTicket = await makeTicket(server.db, organization, project)
  const { responsible, reviewer } = project.roles
  const TicketAssign = [
    { idUser: leaver.idUser, idRole: responsible, Enabled: 1 },
    { idUser: leaver.idUser, idRole: reviewer, Enabled: 1 },
    { idUser: caller.idUser, idRole: reviewer, Enabled: 1 },
  ]
  await server.as(caller, setTicketData, { idTicket, TicketAssign })
  const elsewhere = await makeTicket(server.db, organization, other)
  await makeAssignment(server.db, organization, other, elsewhere, leaver.idUser)
  const input = { idProject, idProjectMember: leaver.idProjectMember }
  const unpermitted = await someone('unpermitted', [1, 11])
  await expectRefusals(server, removeProjectMember, { input, caller, foreigner, unpermitted, bad: [[{ idProject }, 'idProjectMember']] })
  expect((await server.as(caller, removeProjectMember, { idProject, idProjectMember: foreignMember })).status).toBe(404)
  expect((await server.as(caller, removeProjectMember, input)).body).toEqual({ Success: 1 })
  expect((await server.as(leaver, getProjectData, { idProject })).status).toBe(404)
  expect((await server.as(leaver, getProjectData, { idProject: other.projectId })).status).toBe(200)
  expect((await server.as(caller, getTicketData, { idTicket })).body.Assignees.map(({ idUser }) => idUser)).toEqual([caller.idUser])
  expect(
    await server.sql`select ticket_id as id from assignment where organization_id = ${organization} and user_id = ${leaver.idUser}`,
  ).toEqual([{ id: elsewhere }])
  const rows = await server.sql<{ subject: string; before: string; after: string | null; change_set_id: number }>`
    select subject, before, after, change_set_id from change
    where organization_id = ${organization} and before is not null order by id`
  expect(rows.map(({ subject, before, after }) => [subject, before, after]).toSorted()).toEqual([
    ['project_member', String(leaver.idUser), null],
    ['project_member', '[1,2]', null],
    ['ticket', JSON.stringify({ idUser: leaver.idUser, idRole: responsible }), null],
    ['ticket', JSON.stringify({ idUser: leaver.idUser, idRole: reviewer }), null],
  ])
  expect(new Set(rows.map(row => row.change_set_id)).size).toBe(1)
  expect((await server.as(caller, removeProjectMember, input)).status).toBe(404)
})

test('restore-project-member reverts a removal: permissions as far as the caller holds them, and the roles on tickets', async () => {
  const { organization, project, idProject, someone, admin, foreigner } = await setUp()
  const caller = await someone('caller', [1, 2, 5, 13])
  const leaver = await someone('leaver', [1, 2, 12])
  const idTicket = await makeTicket(server.db, organization, project)
  const { responsible, reviewer, assignee } = project.roles
  const [lasting, ending] = [
    { idUser: leaver.idUser, idRole: responsible },
    { idUser: leaver.idUser, idRole: reviewer },
  ]
  await server.as(admin, setTicketData, {
    idTicket,
    TicketAssign: [
      { ...lasting, Enabled: 1 },
      { ...ending, Enabled: 1 },
    ],
  })
  const input = { idProject, idUser: leaver.idUser }
  const remove = async () => {
    const { body } = await server.as(admin, getProjectMembers, { idProject })
    const idProjectMember = body.find(({ idUser }) => idUser === leaver.idUser)?.idProjectMember as number
    expect((await server.as(caller, removeProjectMember, { idProject, idProjectMember })).status).toBe(200)
  }
  const leaverNow = async () =>
    (await server.as(admin, getProjectMembers, { idProject })).body.find(({ idUser }) => idUser === leaver.idUser)?.Permissions
  const holds = async () =>
    (await server.as(admin, getTicketData, { idTicket })).body.Assignees.filter(({ idUser }) => idUser === leaver.idUser).map(
      ({ idRole }) => idRole,
    )
  // Nothing was removed yet: no change.
  const before = await databaseDigest(server.db)
  expect((await server.as(caller, restoreProjectMember, input)).body).toEqual({
    Success: 1,
    idProjectMember: leaver.idProjectMember,
    Withheld: [],
  })
  expect(await databaseDigest(server.db)).toBe(before)

  await remove()
  const unpermitted = await someone('unpermitted', [1, 11])
  await expectRefusals(server, restoreProjectMember, { input, caller, foreigner, unpermitted, bad: [[{ idProject }, 'idUser']] })
  const stranger = await makeUser(server.db, organization)
  for (const idUser of [stranger, foreigner.idUser, 987_654_321])
    expect((await server.as(caller, restoreProjectMember, { idProject, idUser })).status).toBe(404)
  // The role was deleted for good in between.
  await server.sql`delete from role where organization_id = ${organization} and id = ${reviewer}`
  expect((await server.as(caller, restoreProjectMember, input)).body).toEqual({
    Success: 1,
    idProjectMember: expect.any(Number),
    Withheld: [12],
  })
  expect([await leaverNow(), await holds()]).toEqual([[1, 2], [responsible]])
  const rows = await server.sql<{ subject: string; field: string; after: string }>`
    select subject, field, after from change where organization_id = ${organization} and change_set_id = (
      select max(change_set_id) from change where organization_id = ${organization}) order by id`
  expect(rows).toEqual([
    { subject: 'project_member', field: 'Member', after: String(leaver.idUser) },
    { subject: 'project_member', field: 'Permissions', after: '[1,2]' },
    { subject: 'ticket', field: 'Assignee', after: JSON.stringify(lasting) },
  ])

  await server.sql`update project_member set permissions = permissions | 2048 where organization_id = ${organization} and user_id = ${leaver.idUser}`
  await server.as(admin, setTicketData, { idTicket, TicketAssign: [{ idUser: leaver.idUser, idRole: assignee, Enabled: 1 }] })
  await remove()
  expect((await server.as(admin, restoreProjectMember, input)).body.Withheld).toEqual([])
  expect([await leaverNow(), (await holds()).toSorted()]).toEqual([[1, 2, 12], [responsible, assignee].toSorted()])

  // A person who has left the organization cannot be restored to its project.
  await remove()
  await server.sql`delete from organization_member where organization_id = ${organization} and user_id = ${leaver.idUser}`
  expect((await server.as(admin, restoreProjectMember, input)).status).toBe(404)
})

test('a member who manages permissions is not removed by one who does not', async () => {
  const { idProject, someone, admin } = await setUp()
  const manager = await someone('manager', [1, 11])
  const caller = await someone('caller', allBut(permission.managePermissions))
  const { idProjectMember } = manager
  expect(await server.as(caller, removeProjectMember, { idProject, idProjectMember })).toMatchObject({
    status: 422,
    body: { code: 'not_permitted', needs: 'Manage permissions' },
  })
  expect((await server.as(admin, removeProjectMember, { idProject, idProjectMember })).status).toBe(200)
})

test('an administrator who removes a project from a person removes their roles in it too, with history', async () => {
  const { organization, project, someone, admin } = await setUp()
  const leaver = await someone('leaver', [1])
  const idTicket = await makeTicket(server.db, organization, project)
  const pair = { idUser: leaver.idUser, idRole: project.roles.assignee }
  await server.as(admin, setTicketData, { idTicket, TicketAssign: [{ ...pair, Enabled: 1 }] })
  expect((await server.as(admin, setUserDataAdmin, { idUser: leaver.idUser, ProjectMembership: [] })).body).toEqual({ Success: 1 })
  const rows = await server.sql<{ before: string; after: string | null }>`
    select before, after from change where organization_id = ${organization} and ticket_id = ${idTicket} order by id desc limit 1`
  expect(rows).toEqual([{ before: JSON.stringify(pair), after: null }])
})

test('a member removed during an assignment and a grant holds nothing', async () => {
  const { organization, project, idProject, admin } = await setUp()
  const idTicket = await makeTicket(server.db, organization, project)
  const idUser = await makeUser(server.db, organization)
  for (let race = 0; race < rounds(4); race++) {
    const { idProjectMember } = (await server.as(admin, addProjectMember, { idProject, idUser })).body
    const [removed, assigned, granted] = await Promise.all([
      server.as(admin, removeProjectMember, { idProject, idProjectMember }),
      server.as(admin, setTicketData, { idTicket, TicketAssign: [{ idUser, idRole: project.roles.assignee, Enabled: 1 }] }),
      server.as(admin, setUserPermission, { idProject, idProjectMember, idPermission: 5, Enabled: 1 }),
    ])
    expect(removed.status).toBe(200)
    for (const { status } of [assigned, granted]) expect([200, 404]).toContain(status)
    const rows = await server.sql`
      select 1 from assignment where organization_id = ${organization} and user_id = ${idUser}
      union all select 1 from project_member where organization_id = ${organization} and user_id = ${idUser}`
    expect(rows).toEqual([])
  }
  // History records the end of each assignment.
  const rows = await server.sql<{ made: number; ended: number }>`
    select count(after)::int as made, count(before)::int as ended from change
    where organization_id = ${organization} and field = 'Assignee'`
  expect(rows[0]?.made).toBe(rows[0]?.ended)
})
