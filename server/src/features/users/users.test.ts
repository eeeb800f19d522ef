import { setOrganizationMember } from '@tessera/contract/organizations'
import { authenticate, connstate } from '@tessera/contract/session'
import { createUser, getUserEditData, getUserList, sendWelcomeMail, setUserActive, setUserDataAdmin } from '@tessera/contract/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../test/fixtures/refusals.ts'
import { type Db, startServer, type TestServer } from '../../../test/servers/server.ts'
import { hashPassword } from '../../lib/passwords.ts'

async function world(server: TestServer) {
  const { db } = server
  const organization = await makeOrganization(db, 'Acme')
  const elsewhere = await makeOrganization(db, 'Bolt')
  const project = await makeProject(db, organization, { title: 'One' })
  const foreignProject = await makeProject(db, elsewhere)
  const signIn = (idUser: number, org = organization) => server.signedIn(idUser, org)
  const admin = await signIn(await makeUser(db, organization, { login: 'admin', admin: true }))
  const manager = await signIn(await makeUser(db, organization, { login: 'manager', manager: true }))
  const sam = await makeUser(db, organization, { login: 'sam', super: true })
  const ann = await makeUser(db, organization, { login: 'ann', fullName: 'Ann Lee', email: 'ann@example.com' })
  const foreigner = await signIn(await makeUser(db, elsewhere, { login: 'foreigner', admin: true }), elsewhere)
  return {
    organization,
    elsewhere,
    project,
    foreignProject,
    admin,
    manager,
    super: await signIn(sam),
    ann,
    member: await signIn(ann),
    foreigner,
  }
}

async function mails(db: Db) {
  const { rows } = await sql<{ mail: { to: string; subject: string; text: string } }>`
    select payload -> 'mail' as mail from graphile_worker._private_jobs where payload -> 'mail' is not null order by id`.execute(db)
  return rows.map(({ mail }) => mail)
}

test('the user list is for those who manage people; others get an empty one [3.21] [7.7]', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, member, foreigner } = await world(server)
  for (const caller of [admin, manager, sam]) {
    const list = (await server.as(caller, getUserList, {})).body
    expect(list.map(({ LoginName }) => LoginName)).toEqual(['admin', 'ann', 'manager', 'sam'])
    expect(list[0]).toEqual({ id: admin.idUser, LoginName: 'admin' })
  }
  expect((await server.as(admin, getUserList, { Names: 1 })).body.map(({ FullName }) => FullName)).toEqual(['', 'Ann Lee', '', ''])
  for (const input of [{}, { Names: 1 as const }]) expect((await server.as(member, getUserList, input)).body).toEqual([])
  expect((await server.as(foreigner, getUserList, {})).body.map(({ LoginName }) => LoginName)).toEqual(['foreigner'])
  await expectRefusals(server, getUserList, { input: {}, caller: admin })
})

test('a new user belongs to the organization and its projects as a contributor; the welcome mail carries no secret [3.20] [7.10]', async () => {
  await using server = await startServer()
  const { admin, manager, member, project, foreignProject, organization, super: sam } = await world(server)
  const input = {
    LoginName: 'Bob',
    Email: 'bob@example.com',
    Greet: ' Bobby ',
    Real: 'Bob Ray',
    SendWelcome: 1,
    ProjectAssign: [project.projectId],
  }
  await expectRefusals(server, createUser, {
    input,
    caller: admin,
    unpermitted: member,
    bad: [
      [{ ...input, LoginName: 'two words' }, 'LoginName'],
      [{ ...input, Email: 'nobody' }, 'Email'],
      [{ ...input, SendWelcome: true }, 'SendWelcome'],
      [{ ...input, ProjectAssign: [1, 1] }, 'ProjectAssign'],
    ],
  })
  const before = await databaseDigest(server.db)
  expect(await server.as(manager, createUser, input)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect(await server.as(admin, createUser, { ...input, ProjectAssign: [project.projectId, foreignProject.projectId] })).toMatchObject({
    status: 404,
  })
  expect(await databaseDigest(server.db)).toBe(before)

  const { body } = await server.as(admin, createUser, { ...input, LoginName: ' Bob ', Email: ' bob@example.com ' })
  expect(body).toEqual({ Success: 1, idUser: expect.any(Number) })
  expect((await server.as(admin, getUserEditData, { idUser: body.idUser })).body).toEqual({
    Login: 'Bob',
    FullName: 'Bob Ray',
    GivenName: 'Bobby',
    Email: 'bob@example.com',
    ProjectMembership: [project.projectId],
  })
  const row = await server.db
    .selectFrom('project_member')
    .select('permissions')
    .where('organization_id', '=', organization)
    .where('user_id', '=', body.idUser)
    .executeTakeFirstOrThrow()
  expect(row.permissions).toBe(0b1101111)
  // The mail and its code are made when it is sent; nothing of them rests in the queue.
  const welcomes = () =>
    sql`select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'welcome-mail'`.execute(server.db)
  expect((await welcomes()).rows).toEqual([{ payload: { userId: body.idUser, title: 'Acme' } }])

  expect(await server.as(admin, createUser, { ...input, LoginName: 'BOB' })).toMatchObject({ status: 422, body: { code: 'duplicate' } })
  expect(await server.as(sam, createUser, { ...input, LoginName: 'cid', SendWelcome: 0 })).toMatchObject({ status: 200 })
  expect((await welcomes()).rows).toHaveLength(1)
  expect(await mails(server.db)).toEqual([])
})

test('names that are taken cannot be asked for without end', async () => {
  await using server = await startServer()
  const { admin } = await world(server)
  const input = { LoginName: 'foreigner', Email: 'x@example.com', SendWelcome: 0, ProjectAssign: [] }
  for (let attempt = 0; attempt < 30; attempt++) expect((await server.as(admin, createUser, input)).status).toBe(422)
  expect((await server.as(admin, createUser, { ...input, LoginName: 'sam' })).status).toBe(429)
})

test('the edit data name only projects of this organization [3.18] [7.11]', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, member, ann, project, foreignProject, elsewhere, foreigner, organization } = await world(server)
  await makeMember(server.db, organization, project.projectId, ann)
  await server.db.insertInto('organization_member').values({ organization_id: elsewhere, user_id: ann }).execute()
  await makeMember(server.db, elsewhere, foreignProject.projectId, ann)
  for (const caller of [admin, manager, sam]) {
    expect((await server.as(caller, getUserEditData, { idUser: ann })).body).toEqual({
      Login: 'ann',
      FullName: 'Ann Lee',
      GivenName: '',
      Email: 'ann@example.com',
      ProjectMembership: [project.projectId],
    })
  }
  expect((await server.as(foreigner, getUserEditData, { idUser: ann })).body.ProjectMembership).toEqual([foreignProject.projectId])
  for (const idUser of [ann, 99_999_999]) expect(await server.as(member, getUserEditData, { idUser })).toMatchObject({ status: 422 })
  const [hidden, unknown] = [
    await server.as(admin, getUserEditData, { idUser: foreigner.idUser }),
    await server.as(admin, getUserEditData, { idUser: 99_999_999 }),
  ]
  expect(hidden.status).toBe(404)
  expect({ ...hidden.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  await expectRefusals(server, getUserEditData, {
    input: { idUser: ann },
    caller: admin,
    unpermitted: member,
    bad: [[{ idUser: '1' }, 'idUser']],
  })
})

test('an administrator changes a person; a new e-mail is told to both addresses and reset codes are dropped [3.19] [7.12]', async () => {
  await using server = await startServer()
  const { admin, member, ann, project, organization, foreigner } = await world(server)
  await server.db
    .insertInto('reset_code')
    .values({ code_hash: Buffer.from('c'), user_id: ann, device_hash: Buffer.from('d'), expires_at: sql`now() + interval '15 minutes'` })
    .execute()
  const input = { idUser: ann, RealName: 'Ann Li', GreetingName: 'Annie' }
  await expectRefusals(server, setUserDataAdmin, {
    input,
    caller: admin,
    unpermitted: member,
    foreigner,
    bad: [
      [{ idUser: ann, Email: 'x' }, 'Email'],
      [{ idUser: ann, LoginName: '' }, 'LoginName'],
    ],
  })
  expect((await server.as(admin, setUserDataAdmin, input)).body).toEqual({ Success: 1 })
  expect(await mails(server.db)).toEqual([])
  expect(
    (
      await server.as(admin, setUserDataAdmin, {
        idUser: ann,
        LoginName: 'anni',
        Email: 'ann@example.org',
        ProjectMembership: [project.projectId],
      })
    ).body,
  ).toEqual({
    Success: 1,
  })
  expect((await server.as(admin, getUserEditData, { idUser: ann })).body).toEqual({
    Login: 'anni',
    FullName: 'Ann Li',
    GivenName: 'Annie',
    Email: 'ann@example.org',
    ProjectMembership: [project.projectId],
  })
  expect((await mails(server.db)).map(({ to }) => to)).toEqual(['ann@example.com', 'ann@example.org'])
  expect(await server.db.selectFrom('reset_code').selectAll().execute()).toEqual([])
  expect(await server.as(admin, setUserDataAdmin, { idUser: ann, LoginName: 'SAM' })).toMatchObject({
    status: 422,
    body: { code: 'duplicate' },
  })
  const history = await server.db
    .selectFrom('change')
    .select(['field', 'before', 'after'])
    .where('organization_id', '=', organization)
    .orderBy('id')
    .execute()
  expect(history).toEqual([
    { field: 'FullName', before: 'Ann Lee', after: 'Ann Li' },
    { field: 'GivenName', before: '', after: 'Annie' },
    { field: 'Login', before: 'ann', after: 'anni' },
    { field: 'Email', before: 'ann@example.com', after: 'ann@example.org' },
    { field: 'Member', before: null, after: String(ann) },
  ])
})

test('nobody edits who outranks them', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, ann } = await world(server)
  const edit = (caller: typeof admin, idUser: number) => server.as(caller, setUserDataAdmin, { idUser, RealName: 'X' })
  for (const [caller, target] of [
    [admin, manager.idUser],
    [admin, sam.idUser],
    [manager, sam.idUser],
  ] as const) {
    expect(await edit(caller, target)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  }
  for (const [caller, target] of [
    [admin, ann],
    [admin, admin.idUser],
    [manager, admin.idUser],
    [sam, manager.idUser],
  ] as const) {
    expect((await edit(caller, target)).body).toEqual({ Success: 1 })
  }
})

test('a manager changes login, e-mail and projects of members alone: not of administrators, other managers or themselves', async () => {
  await using server = await startServer()
  const { admin, manager, ann, organization, project } = await world(server)
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
    // What stays as it is may be sent along.
    const { Email, ProjectMembership } = (await server.as(manager, getUserEditData, { idUser })).body
    expect(await edit(idUser, { RealName: 'Other', Email, ProjectMembership })).toMatchObject({ status: 200 })
  }
  expect(
    await edit(ann, { LoginName: 'anni', Email: 'ann@example.org', ProjectMembership: [project.projectId], RealName: 'Ann' }),
  ).toMatchObject({ status: 200 })
})

test('login, e-mail and names of somebody who belongs to another organization are for super users alone', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, ann, elsewhere } = await world(server)
  await server.db.insertInto('organization_member').values({ organization_id: elsewhere, user_id: ann }).execute()
  const before = await databaseDigest(server.db)
  for (const caller of [admin, manager]) {
    for (const part of [{ Email: 'eve@example.com' }, { LoginName: 'eve' }, { Email: '' }, { RealName: 'Eve' }, { GreetingName: 'Eve' }]) {
      expect(await server.as(caller, setUserDataAdmin, { idUser: ann, ...part })).toMatchObject({
        status: 422,
        body: { code: 'rule' },
      })
    }
  }
  expect(await databaseDigest(server.db)).toBe(before)
  expect(
    await server.as(admin, setUserDataAdmin, { idUser: ann, RealName: 'Ann Lee', Email: 'ann@example.com', ProjectMembership: [] }),
  ).toMatchObject({
    status: 200,
  })
  expect(await server.as(sam, setUserDataAdmin, { idUser: ann, Email: 'ann@example.org' })).toMatchObject({ status: 200 })
})

test('the membership replaces that of this organization alone, and leaves archived projects as they are', async () => {
  await using server = await startServer()
  const { admin, ann, project, foreignProject, elsewhere, organization } = await world(server)
  const [second, archived] = [
    await makeProject(server.db, organization, { title: 'Two' }),
    await makeProject(server.db, organization, { title: 'Old' }),
  ]
  for (const { projectId } of [project, archived]) await makeMember(server.db, organization, projectId, ann, 'all')
  await server.db.insertInto('organization_member').values({ organization_id: elsewhere, user_id: ann }).execute()
  await makeMember(server.db, elsewhere, foreignProject.projectId, ann)
  const archive = (id: number) =>
    server.db
      .updateTable('project')
      .set({ archived_at: new Date() })
      .where('organization_id', '=', organization)
      .where('id', '=', id)
      .execute()
  await archive(archived.projectId)

  const set = (ProjectMembership: number[]) => server.as(admin, setUserDataAdmin, { idUser: ann, ProjectMembership })
  expect(await set([foreignProject.projectId])).toMatchObject({ status: 404 })
  expect((await set([second.projectId])).body).toEqual({ Success: 1 })
  expect((await server.as(admin, getUserEditData, { idUser: ann })).body.ProjectMembership).toEqual([second.projectId])
  const { rows } = await sql<{
    project_id: number
  }>`/* all organizations: job */ select project_id from project_member where user_id = ${ann} order by 1`.execute(server.db)
  expect(rows.map(({ project_id }) => project_id)).toEqual(
    [foreignProject.projectId, second.projectId, archived.projectId].sort((a, b) => a - b),
  )
  await archive(project.projectId)
  expect(await set([second.projectId, project.projectId])).toMatchObject({ status: 422, body: { code: 'rule' } })
})

test('a deactivated account is signed out and cannot sign in; what it did stays, and it comes back', async () => {
  await using server = await startServer()
  const { db } = server
  const { admin, manager, ann, member, foreigner, organization, elsewhere, project, super: sam } = await world(server)
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
  const { admin, super: sam, organization, elsewhere, foreigner } = await world(server)
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
  await server.db.insertInto('organization_member').values({ organization_id: organization, user_id: foreigner.idUser }).execute()
  expect(await set(sam, foreigner.idUser, 0)).toMatchObject({ code: 'rule', error: expect.stringContaining('Bolt') })
  await makeUser(server.db, elsewhere, { admin: true })
  expect(await set(sam, foreigner.idUser, 0)).toEqual({ Success: 1 })
})

test('two administrators who deactivate each other at once: one of them stays', async () => {
  await using server = await startServer()
  const { admin, organization } = await world(server)
  const other = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  const answers = await Promise.all([
    server.as(admin, setUserActive, { idUser: other.idUser, Active: 0 }),
    server.as(other, setUserActive, { idUser: admin.idUser, Active: 0 }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
})

test('the welcome mail is sent again to a person without a password, five times an hour', async () => {
  await using server = await startServer()
  const { db } = server
  const { admin, manager, ann, member, foreigner } = await world(server)
  const send = () => server.as(admin, sendWelcomeMail, { idUser: ann })
  const queued = async () =>
    (
      await sql<{ payload: unknown }>`
      select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'welcome-mail'`.execute(db)
    ).rows
  await expectRefusals(server, sendWelcomeMail, {
    input: { idUser: ann },
    caller: manager,
    foreigner,
    unpermitted: member,
    bad: [[{}, 'idUser']],
  })
  const refused = async () => expect(await send()).toMatchObject({ status: 422, body: { code: 'rule' } })
  const account = (values: object) => db.updateTable('user_account').set(values).where('id', '=', ann).execute()
  for (const [wrong, right] of [
    [{ password_hash: 'x' }, { password_hash: null }],
    [{ email: '' }, { email: 'ann@example.com' }],
    [{ email_changed_at: new Date() }, { email_changed_at: null }],
    [{ disabled: true }, { disabled: false }],
  ] as const) {
    await account(wrong)
    await refused()
    await account(right)
  }
  expect(await queued()).toEqual([])
  for (let attempt = 1; attempt <= 5; attempt++) expect((await send()).body).toEqual({ Success: 1 })
  expect((await send()).status).toBe(429)
  expect(await queued()).toHaveLength(5)
})
