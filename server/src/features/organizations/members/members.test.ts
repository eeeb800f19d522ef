import {
  getOrganizationData,
  getOrganizationMemberCandidates,
  removeOrganizationMember,
  restoreOrganizationMember,
  setOrganizationMember,
} from '@tessera/contract/people/organizations'
import { getUserData } from '@tessera/contract/people/profile'
import { expect, test } from 'vitest'
import { makeAssignment, makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { organizationWorld } from '../../../../test/fixtures/worlds/organization-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('members are added by login and given organization permissions; nobody changes a person of higher rank', async () => {
  await using server = await startServer()
  const { acme, admin, manager, sam, ann, foreigner, member } = await organizationWorld(server)
  const set = (caller: typeof admin, part: object) => server.as(caller, setOrganizationMember, { idOrganization: acme, ...part })
  await expectRefusals(server, setOrganizationMember, {
    input: { idOrganization: acme, idUser: ann, Admin: 1 },
    caller: admin,
    foreigner,
    unpermitted: manager,
    bad: [
      [{ idOrganization: acme }, 'LoginName'],
      [{ idOrganization: acme, idUser: ann, LoginName: 'ann' }, 'LoginName'],
      [{ idOrganization: acme, idUser: ann, Admin: true }, 'Admin'],
    ],
  })
  expect((await set(member, { idUser: ann, Admin: 1 })).status).toBe(404)
  const before = await databaseDigest(server.db)
  expect((await set(admin, { idUser: foreigner.idUser, Admin: 1 })).status).toBe(404)
  for (const idUser of [manager.idUser, sam.idUser])
    expect(await set(admin, { idUser, Admin: 1 })).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect(await set(admin, { idUser: admin.idUser, Manager: 1 })).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect(await set(admin, { idUser: admin.idUser, Admin: 0 })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await databaseDigest(server.db)).toBe(before)
  expect((await set(admin, { LoginName: 'nobody' })).status).toBe(404)
  await server.sql`update user_account set disabled = true where id = ${foreigner.idUser}`
  for (const caller of [admin, sam]) expect((await set(caller, { LoginName: 'foreigner' })).status).toBe(404)
  await server.sql`update user_account set disabled = false where id = ${foreigner.idUser}`
  // The only administrator may become a manager too.
  for (const Manager of [1, 0])
    expect((await set(sam, { idUser: admin.idUser, Manager })).body).toEqual({ Success: 1, idUser: admin.idUser })

  expect((await set(sam, { LoginName: 'Foreigner' })).body).toEqual({ Success: 1, idUser: foreigner.idUser })
  expect((await set(admin, { idUser: ann, Admin: 1 })).body).toEqual({ Success: 1, idUser: ann })
  expect((await set(admin, { idUser: ann, Manager: 1 })).body).toEqual({ Success: 1, idUser: ann })
  expect((await set(sam, { idUser: manager.idUser, Manager: 0 })).body).toEqual({ Success: 1, idUser: manager.idUser })
  const { Members } = (await server.as(admin, getOrganizationData, { idOrganization: acme })).body
  expect(Object.fromEntries(Members.map(({ LoginName, Admin, Manager }) => [LoginName, [Admin, Manager]]))).toEqual({
    admin: [1, 0],
    ann: [1, 1],
    foreigner: [0, 0],
    manager: [0, 0],
    sam: [0, 0],
  })
  expect((await set(admin, { idUser: admin.idUser, Admin: 0 })).body).toEqual({ Success: 1, idUser: admin.idUser })
})

test('a removed member loses access at once, to projects too; the last administrator cannot be removed', async () => {
  await using server = await startServer()
  const { acme, bolt, admin, manager, sam, ann, member, foreigner } = await organizationWorld(server)
  const project = await makeProject(server.db, acme)
  await makeMember(server.db, acme, project.projectId, ann)
  await server.sql`insert into organization_member (organization_id, user_id) values (${bolt}, ${ann})`
  const abroad = await server.signedIn(ann, bolt)
  const idTicket = await makeTicket(server.db, acme, project)
  await makeAssignment(server.db, acme, project, idTicket, ann)
  const remove = (caller: typeof admin, idUser: number) => server.as(caller, removeOrganizationMember, { idOrganization: acme, idUser })
  await expectRefusals(server, removeOrganizationMember, {
    input: { idOrganization: acme, idUser: ann },
    caller: admin,
    foreigner,
    unpermitted: manager,
    bad: [[{ idOrganization: acme }, 'idUser']],
  })
  const before = await databaseDigest(server.db)
  expect((await remove(admin, foreigner.idUser)).status).toBe(404)
  for (const target of [manager, sam])
    expect(await remove(admin, target.idUser)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  for (const caller of [admin, sam]) expect(await remove(caller, admin.idUser)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await databaseDigest(server.db)).toBe(before)

  expect((await remove(admin, ann)).body).toEqual({ Success: 1 })
  expect((await server.as(member, getUserData, {})).status).toBe(403)
  expect((await server.as(abroad, getUserData, {})).status).toBe(200)
  expect(await server.sql`select 1 from project_member where organization_id = ${acme}`).toEqual([])
  expect(await server.sql`select field, ticket_id from change where organization_id = ${acme} order by id`).toEqual([
    { field: 'Member', ticket_id: null },
    { field: 'Member', ticket_id: null },
    { field: 'Permissions', ticket_id: null },
    { field: 'Assignee', ticket_id: idTicket },
  ])
  expect(await server.sql`select 1 from ticket_notice where organization_id = ${acme}`).toEqual([])
})

test('restore-organization-member restores everything that the removal took, except the sessions', async () => {
  await using server = await startServer()
  const { db } = server
  const { acme, bolt, admin, manager, sam, foreigner } = await organizationWorld(server)
  const [one, two, closed] = [await makeProject(db, acme), await makeProject(db, acme), await makeProject(db, acme)]
  const kim = await makeUser(db, acme, { login: 'kim', admin: true, manager: true })
  await makeMember(db, acme, one.projectId, kim, [1, 12])
  await makeMember(db, acme, two.projectId, kim, 'all')
  await makeMember(db, acme, closed.projectId, kim, [1])
  await server.sql`update project set archived_at = now() where organization_id = ${acme} and id = ${closed.projectId}`
  const idTicket = await makeTicket(db, acme, one)
  await makeAssignment(db, acme, one, idTicket, kim)
  const session = await server.signedIn(kim, acme)
  const restore = (caller: typeof admin, idUser: number, idOrganization = acme) =>
    server.as(caller, restoreOrganizationMember, { idOrganization, idUser })
  const standing = async () => ({
    member: await server.sql`select admin, manager from organization_member where organization_id = ${acme} and user_id = ${kim}`,
    projects: await server.sql`
      select project_id, permissions from project_member where organization_id = ${acme} and user_id = ${kim} order by project_id`,
    roles: await server.sql`select * from assignment where organization_id = ${acme}`,
  })
  const before = await standing()
  expect((await server.as(sam, removeOrganizationMember, { idOrganization: acme, idUser: kim })).status).toBe(200)
  expect(await standing()).toEqual({ member: [], projects: [], roles: [] })

  await expectRefusals(server, restoreOrganizationMember, {
    input: { idOrganization: acme, idUser: kim },
    caller: sam,
    foreigner,
    unpermitted: manager,
    bad: [[{ idOrganization: acme }, 'idUser']],
  })
  const removed = await databaseDigest(db)
  // Kim managed the organization: above an administrator.
  expect(await restore(admin, kim)).toMatchObject({ status: 422, body: { code: 'not_permitted', needs: 'Organization manager' } })
  for (const idUser of [foreigner.idUser, 987_654_321]) expect((await restore(sam, idUser)).status).toBe(404)
  expect((await restore(sam, kim, bolt)).status).toBe(404)
  await server.sql`update user_account set disabled = true where id = ${kim}`
  expect((await restore(sam, kim)).status).toBe(404)
  await server.sql`update user_account set disabled = false where id = ${kim}`
  expect(await databaseDigest(db)).toBe(removed)

  expect((await restore(sam, kim)).body).toEqual({ Success: 1 })
  expect(await restore(manager, kim)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect(await standing()).toEqual(before)
  expect((await server.as(session, getUserData, {})).status).toBe(403)
  expect((await server.as(await server.signedIn(kim, acme), getUserData, {})).status).toBe(200)
  const rows = await server.sql<{ subject: string; field: string; sets: number }>`
    select subject, field, (select count(distinct change_set_id)::int from change where organization_id = ${acme}) as sets from change
    where organization_id = ${acme} and before is null order by id`
  expect(rows.map(({ subject, field }) => `${subject} ${field}`)).toEqual([
    'organization_member Member',
    'organization_member Admin',
    'organization_member Manager',
    ...Array(3).fill(['project_member Member', 'project_member Permissions']).flat(),
    'ticket Assignee',
  ])
  expect(rows[0]?.sets).toBe(2)
  expect(await server.sql`select 1 from ticket_notice where organization_id = ${acme}`).toEqual([])
  const back = await databaseDigest(db)
  expect((await restore(admin, kim)).body).toEqual({ Success: 1 })
  expect(await databaseDigest(db)).toBe(back)
})

test('somebody who was removed more than a day ago is asked before they are a member again', async () => {
  await using server = await startServer()
  const { db } = server
  const { acme, admin, sam } = await organizationWorld(server)
  const kim = await makeUser(db, acme, { login: 'kim' })
  const input = { idOrganization: acme, idUser: kim }
  const restore = (caller: typeof admin) => server.as(caller, restoreOrganizationMember, input)
  expect((await server.as(admin, removeOrganizationMember, input)).status).toBe(200)
  await server.sql`update change set changed_at = now() - interval '25 hours' where organization_id = ${acme} and subject_id = ${kim}`
  const removed = await databaseDigest(db)
  expect(await restore(admin)).toMatchObject({ status: 422, body: { code: 'rule', error: expect.stringContaining('more than a day ago') } })
  expect(await databaseDigest(db)).toBe(removed)
  expect((await restore(sam)).body).toEqual({ Success: 1 })
})

test('two administrators who remove each other at once do not leave the organization without one', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const pair = await Promise.all(
    [1, 2].map(async () => server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)),
  )
  const [first, second] = pair as [(typeof pair)[0], (typeof pair)[0]]
  const take = (caller: typeof first, target: typeof first) =>
    server.as(caller, setOrganizationMember, { idOrganization: organization, idUser: target.idUser, Admin: 0 })
  await Promise.all([take(first, second), take(second, first)])
  expect(await server.sql`select 1 from organization_member where organization_id = ${organization} and admin`).toHaveLength(1)
})

test('an administrator tries at most 30 unknown logins in an hour, and sends as many invitations', async () => {
  await using server = await startServer()
  const { acme, admin } = await organizationWorld(server)
  const add = async (LoginName: string) => (await server.as(admin, setOrganizationMember, { idOrganization: acme, LoginName })).status
  for (let attempt = 0; attempt < 30; attempt++) expect(await add('nobody')).toBe(404)
  for (const LoginName of ['nobody', 'foreigner']) expect(await add(LoginName)).toBe(429)
  await server.sql`delete from throttle`
  for (let invitation = 0; invitation < 30; invitation++) expect(await add('foreigner')).toBe(200)
  expect(await add('foreigner')).toBe(429)
})

test('only former members are offered when a member is added', async () => {
  await using server = await startServer()
  const { acme, bolt, admin, sam, ann, foreigner } = await organizationWorld(server)
  const candidates = async (caller: typeof admin) =>
    (await server.as(caller, getOrganizationMemberCandidates, { idOrganization: acme })).body
  expect(await candidates(admin)).toEqual([])
  // Somebody else left the other organization.
  const stranger = await makeUser(server.db, bolt, { login: 'stranger' })
  await server.as(foreigner, removeOrganizationMember, { idOrganization: bolt, idUser: stranger })
  expect((await server.as(admin, removeOrganizationMember, { idOrganization: acme, idUser: ann })).status).toBe(200)
  expect(await candidates(admin)).toEqual([{ id: ann, LoginName: 'ann', FullName: 'Ann Lee' }])
  expect(await candidates(sam)).toEqual(await candidates(admin))
  expect((await server.as(foreigner, getOrganizationMemberCandidates, { idOrganization: acme })).status).toBe(404)
  await expectRefusals(server, getOrganizationMemberCandidates, {
    input: { idOrganization: acme },
    caller: admin,
  })
  await server.sql`update user_account set disabled = true where id = ${ann}`
  expect(await candidates(admin)).toEqual([])
  await server.sql`update user_account set disabled = false where id = ${ann}`
  await server.as(sam, setOrganizationMember, { idOrganization: acme, LoginName: 'ann' })
  expect(await candidates(admin)).toEqual([])
})
