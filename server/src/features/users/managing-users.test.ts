import { randomUUID } from 'node:crypto'
import type { Request } from '@tessera/contract/call'
import { setOrganizationMember } from '@tessera/contract/people/organizations'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { getUserEditData, getUserList, setUserActive, setUserDataAdmin } from '@tessera/contract/people/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../test/fixtures/refusals.ts'
import { usersWorld } from '../../../test/fixtures/worlds/users-world.ts'
import { lockWaits } from '../../../test/postgres/lock-waits.ts'
import { startServer } from '../../../test/servers/server.ts'
import { hashPassword } from '../../lib/passwords/passwords.ts'

test('a manager changes login, e-mail and projects of members alone: not of administrators, other managers or themselves', async () => {
  await using server = await startServer()
  const { admin, manager, ann, organization, project } = await usersWorld(server)
  const second = await makeUser(server.db, organization, { manager: true })
  const before = await databaseDigest(server.db)
  for (const idUser of [admin.idUser, second, manager.idUser]) {
    for (const part of [{ Email: 'eve@example.com' }, { Email: '' }, { LoginName: 'eve' }, { ProjectMembership: [project.projectId] }]) {
      expect(await server.as(manager, setUserDataAdmin, { idUser, RealName: 'X', ...part })).toMatchObject({
        status: 422,
        body: { code: 'not_permitted', needs: 'Organisation Admin' },
      })
    }
  }
  expect(await databaseDigest(server.db)).toBe(before)
  const edit = (idUser: number, part: object) => server.as(manager, setUserDataAdmin, { idUser, ...part })
  for (const idUser of [admin.idUser, second, manager.idUser]) {
    // Unchanged values may be sent too.
    const { Email, ProjectMembership } = (await server.as(manager, getUserEditData, { idUser })).body
    expect(await edit(idUser, { RealName: 'Other', Email, ProjectMembership })).toMatchObject({ status: 200 })
  }
  expect(
    await edit(ann, { LoginName: 'anni', Email: 'ann@example.org', ProjectMembership: [project.projectId], RealName: 'Ann' }),
  ).toMatchObject({ status: 200 })
})

test('only super users change login and e-mail of somebody who belongs to another organization too', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, ann, elsewhere } = await usersWorld(server)
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${ann})`
  const before = await databaseDigest(server.db)
  for (const caller of [admin, manager]) {
    for (const part of [{ Email: 'eve@example.com' }, { LoginName: 'eve' }, { Email: '' }]) {
      expect(await server.as(caller, setUserDataAdmin, { idUser: ann, ...part })).toMatchObject({
        status: 422,
        body: { code: 'rule' },
      })
    }
  }
  expect(await databaseDigest(server.db)).toBe(before)
  expect(
    await server.as(admin, setUserDataAdmin, {
      idUser: ann,
      RealName: 'Ann B. Lee',
      GreetingName: 'Ann',
      Email: 'ann@example.com',
      ProjectMembership: [],
    }),
  ).toMatchObject({
    status: 200,
  })
  expect(await server.as(sam, setUserDataAdmin, { idUser: ann, Email: 'ann@example.org' })).toMatchObject({ status: 200 })
})

test('the membership replaces that of this organization alone, and leaves archived projects as they are', async () => {
  await using server = await startServer()
  const { admin, ann, project, foreignProject, elsewhere, organization } = await usersWorld(server)
  const [second, archived] = [
    await makeProject(server.db, organization, { title: 'Two' }),
    await makeProject(server.db, organization, { title: 'Old' }),
  ]
  for (const { projectId } of [project, archived]) await makeMember(server.db, organization, projectId, ann, 'all')
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${ann})`
  await makeMember(server.db, elsewhere, foreignProject.projectId, ann)
  const archive = (id: number) => server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${id}`
  await archive(archived.projectId)

  const set = (ProjectMembership: number[]) => server.as(admin, setUserDataAdmin, { idUser: ann, ProjectMembership })
  expect(await set([foreignProject.projectId])).toMatchObject({ status: 404 })
  expect((await set([second.projectId])).body).toEqual({ Success: 1 })
  expect((await server.as(admin, getUserEditData, { idUser: ann })).body.ProjectMembership).toEqual([second.projectId])
  const rows = await server.sql<{ project_id: number }>`
    /* all organizations: job */ select project_id from project_member where user_id = ${ann} order by 1`
  expect(rows.map(({ project_id }) => project_id)).toEqual(
    [foreignProject.projectId, second.projectId, archived.projectId].sort((a, b) => a - b),
  )
  await archive(project.projectId)
  expect(await set([second.projectId, project.projectId])).toMatchObject({ status: 422, body: { code: 'rule' } })
})

test('a list of projects based on an older one keeps what another administrator changed meanwhile', async () => {
  await using server = await startServer()
  const { admin, ann, project, organization } = await usersWorld(server)
  const [left, joined, added] = [
    await makeProject(server.db, organization, { title: 'Left' }),
    await makeProject(server.db, organization, { title: 'Joined' }),
    await makeProject(server.db, organization, { title: 'Added' }),
  ].map(({ projectId }) => projectId) as [number, number, number]
  const before = [project.projectId, left]
  const set = (input: Partial<Request<typeof setUserDataAdmin>>) => server.as(admin, setUserDataAdmin, { idUser: ann, ...input })
  await set({ ProjectMembership: before })
  await set({ ProjectMembership: [project.projectId, joined] })
  expect((await set({ MembershipBefore: before, ProjectMembership: [left, added] })).body).toEqual({ Success: 1 })
  expect((await server.as(admin, getUserEditData, { idUser: ann })).body.ProjectMembership).toEqual([added, joined])
})

test('a deactivated account is signed out and cannot sign in; its work stays, and it can be reactivated', async () => {
  await using server = await startServer()
  const { db } = server
  const { admin, manager, ann, member, foreigner, organization, elsewhere, project, super: sam } = await usersWorld(server)
  await makeMember(db, organization, project.projectId, ann)
  await db
    .updateTable('user_account')
    .set({ password_hash: await hashPassword('correct horse') })
    .where('id', '=', ann)
    .execute()
  const signIn = async () => (await server.as(null, authenticate, { user: 'ann', pass: 'correct horse' })).body
  const set = (who: typeof admin, idUser: number, Active: 0 | 1) => server.as(who, setUserActive, { idUser, Active })

  await expectRefusals(server, setUserActive, {
    input: { idUser: ann, Active: 0 },
    caller: admin,
    foreigner,
    unpermitted: member,
    bad: [
      [{ idUser: ann }, 'Active'],
      [{ idUser: ann, Active: true }, 'Active'],
    ],
  })
  expect((await set(manager, ann, 0)).body).toEqual({ Success: 1 })
  expect((await server.as(member, connstate, {})).body).toEqual({ auth: 0 })
  expect(await signIn()).toEqual({ auth: 0 })
  const listed = async () => (await server.as(admin, getUserList, {})).body.find(({ id }) => id === ann)
  expect(await listed()).toEqual({ id: ann, LoginName: 'ann', Deactivated: 1 })
  expect((await server.as(admin, getUserEditData, { idUser: ann, Account: 1 })).body).toMatchObject({
    ProjectMembership: [project.projectId],
    Account: { Active: 0, HasPassword: 1 },
  })
  expect((await set(manager, ann, 1)).body).toEqual({ Success: 1 })
  expect(await signIn()).toMatchObject({ auth: 1 })
  // The session from before stays ended.
  expect((await server.as(member, connstate, {})).body).toEqual({ auth: 0 })
  expect(await listed()).toEqual({ id: ann, LoginName: 'ann' })
  const { rows } = await sql`
    select before, after, user_id as by from change
    where organization_id = ${organization} and subject = 'user' and subject_id = ${ann} and field = 'Active' order by id`.execute(db)
  expect(rows).toEqual([
    { before: '1', after: '0', by: manager.idUser },
    { before: '0', after: '1', by: manager.idUser },
  ])

  await db.insertInto('organization_member').values({ organization_id: elsewhere, user_id: ann }).execute()
  expect(await set(admin, ann, 0)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await set(sam, ann, 0)).status).toBe(200)
})

test('nobody deactivates themselves, the last administrator or the last super user; the deactivated do not count', async () => {
  await using server = await startServer()
  const { admin, super: sam, organization, elsewhere, foreigner } = await usersWorld(server)
  const set = async (who: typeof admin, idUser: number, Active: 0 | 1) => (await server.as(who, setUserActive, { idUser, Active })).body
  expect(await set(admin, admin.idUser, 0)).toMatchObject({ code: 'rule' })
  expect(await set(sam, sam.idUser, 0)).toMatchObject({ code: 'rule' })
  expect(await set(sam, admin.idUser, 0)).toMatchObject({ code: 'rule', error: expect.stringContaining('Acme') })
  const second = await makeUser(server.db, organization, { admin: true })
  expect(await set(sam, second, 0)).toEqual({ Success: 1 })
  expect(await set(sam, admin.idUser, 0)).toMatchObject({ code: 'rule' })
  expect(await server.as(sam, setOrganizationMember, { idOrganization: organization, idUser: admin.idUser, Admin: 0 })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  // The last administrator of another organization, who is a member here.
  await server.sql`insert into organization_member (organization_id, user_id) values (${organization}, ${foreigner.idUser})`
  expect(await set(sam, foreigner.idUser, 0)).toMatchObject({ code: 'rule', error: expect.stringContaining('Bolt') })
  await makeUser(server.db, elsewhere, { admin: true })
  expect(await set(sam, foreigner.idUser, 0)).toEqual({ Success: 1 })
  // A call with an Idempotency-Key refers to its caller while it waits for the lock that this one has.
  const root = await makeUser(server.db, organization, { super: true })
  await server.db.transaction().execute(async waiting => {
    await sql`
      insert into idempotency_key (organization_id, user_id, key, call, request_hash)
      values (${organization}, ${sam.idUser}, ${randomUUID()}, 'waiting', '')`.execute(waiting)
    expect(await set(sam, root, 0)).toEqual({ Success: 1 })
  })
})

test('two administrators who deactivate each other at once: one of them stays', async () => {
  await using server = await startServer()
  const { admin, organization } = await usersWorld(server)
  const other = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  const answers = await Promise.all([
    server.as(admin, setUserActive, { idUser: other.idUser, Active: 0 }),
    server.as(other, setUserActive, { idUser: admin.idUser, Active: 0 }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
})

test('two super users who deactivate each other at once, in two organizations: one of them stays', async () => {
  await using server = await startServer()
  const { super: sam, organization, elsewhere } = await usersWorld(server)
  const root = await server.signedIn(await makeUser(server.db, elsewhere, { super: true }), elsewhere)
  for (const [place, { idUser }] of [
    [organization, root],
    [elsewhere, sam],
  ] as const)
    await server.sql`insert into organization_member (organization_id, user_id) values (${place}, ${idUser})`
  // Both have locked the other's account before either looks for a remaining super user.
  const { calls } = await server.db.transaction().execute(async holder => {
    await sql`select 1 from user_account where super for update`.execute(holder)
    const begun = [
      server.as(sam, setUserActive, { idUser: root.idUser, Active: 0 }),
      server.as(root, setUserActive, { idUser: sam.idUser, Active: 0 }),
    ]
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    return { calls: begun }
  })
  await Promise.all(calls)
  expect(await server.sql`select 1 from user_account where super and not disabled`).toHaveLength(1)
})
