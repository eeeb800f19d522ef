import { setOrganizationMember } from '@tessera/contract/people/organizations'
import { createUser, getUserEditData, getUserList, sendWelcomeMail, setUserDataAdmin } from '@tessera/contract/people/users'
import { createNewState } from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember } from '../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../test/fixtures/refusals.ts'
import { usersWorld } from '../../../test/fixtures/worlds/users-world.ts'
import { type Db, startServer } from '../../../test/servers/server.ts'
import { poolOf } from '../../db/connections/connect.ts'

async function mails(db: Db) {
  const { rows } = await sql<{ mail: { to: string; subject: string; text: string } }>`
    select payload -> 'mail' as mail from graphile_worker._private_jobs where payload -> 'mail' is not null order by id`.execute(db)
  return rows.map(({ mail }) => mail)
}

test('the user list is for those who manage people; others get an empty one [3.21] [7.7]', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, member, foreigner } = await usersWorld(server)
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
  const { admin, manager, member, project, foreignProject, organization, super: sam } = await usersWorld(server)
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
  const memberships = await server.sql`
    select permissions from project_member where organization_id = ${organization} and user_id = ${body.idUser}`
  expect(memberships).toEqual([{ permissions: 0b1101111 }])
  // The mail and its code are made when it is sent; nothing of them rests in the queue.
  const welcomes = () =>
    server.sql`select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'welcome-mail'`
  expect(await welcomes()).toEqual([{ payload: { userId: body.idUser, title: 'Acme' } }])

  expect(await server.as(admin, createUser, { ...input, LoginName: 'BOB' })).toMatchObject({ status: 422, body: { code: 'duplicate' } })
  expect(await server.as(sam, createUser, { ...input, LoginName: 'cid', SendWelcome: 0 })).toMatchObject({ status: 200 })
  expect(await welcomes()).toHaveLength(1)
  expect(await mails(server.db)).toEqual([])
})

test('probing for taken login names is throttled when creating users', async () => {
  await using server = await startServer()
  const { admin } = await usersWorld(server)
  const input = { LoginName: 'foreigner', Email: 'x@example.com', SendWelcome: 0, ProjectAssign: [] }
  for (let attempt = 0; attempt < 30; attempt++) expect((await server.as(admin, createUser, input)).status).toBe(422)
  expect((await server.as(admin, createUser, { ...input, LoginName: 'sam' })).status).toBe(429)
})

test('probing for taken login names is throttled when renaming a user', async () => {
  await using server = await startServer()
  const { admin, ann } = await usersWorld(server)
  const rename = (LoginName: string) => server.as(admin, setUserDataAdmin, { idUser: ann, LoginName })
  expect((await rename('Ann')).status).toBe(200)
  for (let attempt = 0; attempt < 30; attempt++)
    expect(await rename('FOREIGNER')).toMatchObject({ status: 422, body: { code: 'duplicate' } })
  // Otherwise what is not refused would tell that a name is free.
  for (const name of ['sam', 'free']) expect((await rename(name)).status).toBe(429)
})

test('many refusals at once leave connections for others', async () => {
  await using server = await startServer()
  const { admin, foreigner, foreignProject } = await usersWorld(server)
  const { max } = poolOf(server.db).options
  const many = Array.from({ length: max ?? 10 })
  const taken = { LoginName: 'foreigner', Email: 'x@example.com', SendWelcome: 0 as const, ProjectAssign: [] }
  for (const flood of [
    () => server.as(admin, createUser, taken),
    () => server.as(admin, setOrganizationMember, { idOrganization: admin.orgid, LoginName: 'nobody' }),
  ]) {
    const floods = Promise.all(many.map(flood))
    const other = await server.as(foreigner, createNewState, {
      idProject: foreignProject.projectId,
      State: crypto.randomUUID(),
      idPhase: 1,
    })
    expect(other.status).toBe(200)
    for (const { status } of await floods) expect([404, 422, 429]).toContain(status)
  }
})

test('a project of another organization is 404, whatever else is wrong with the request', async () => {
  await using server = await startServer()
  const { admin, manager, ann, elsewhere, foreignProject } = await usersWorld(server)
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${ann})`
  const before = await databaseDigest(server.db)
  const ProjectAssign = [foreignProject.projectId]
  for (const LoginName of ['ann', '\u0430dmin', 'free']) {
    expect((await server.as(admin, createUser, { LoginName, Email: 'x@example.com', SendWelcome: 0, ProjectAssign })).status).toBe(404)
  }
  const ProjectMembership = ProjectAssign
  expect((await server.as(admin, setUserDataAdmin, { idUser: ann, Email: 'n@example.com', ProjectMembership })).status).toBe(404)
  expect((await server.as(manager, setUserDataAdmin, { idUser: admin.idUser, ProjectMembership })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
})

test('the edit data name only projects of this organization [3.18] [7.11]', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, member, ann, project, foreignProject, elsewhere, foreigner, organization } = await usersWorld(server)
  await makeMember(server.db, organization, project.projectId, ann)
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${ann})`
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

test('an administrator changes a person; a new e-mail is mailed to both addresses and reset codes are deleted [3.19] [7.12]', async () => {
  await using server = await startServer()
  const { admin, member, ann, project, organization, foreigner } = await usersWorld(server)
  await server.sql`
    insert into reset_code (code_hash, user_id, device_hash, expires_at)
    values (${Buffer.from('c')}, ${ann}, ${Buffer.from('d')}, now() + interval '15 minutes')`
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
  expect(await server.sql`select * from reset_code`).toEqual([])
  expect(await server.as(admin, setUserDataAdmin, { idUser: ann, LoginName: 'SAM' })).toMatchObject({
    status: 422,
    body: { code: 'duplicate' },
  })
  expect(await server.sql`select field, before, after from change where organization_id = ${organization} order by id`).toEqual([
    { field: 'FullName', before: 'Ann Lee', after: 'Ann Li' },
    { field: 'GivenName', before: '', after: 'Annie' },
    { field: 'Login', before: 'ann', after: 'anni' },
    { field: 'Email', before: 'ann@example.com', after: 'ann@example.org' },
    { field: 'Member', before: null, after: String(ann) },
  ])
})

test('nobody edits a person of higher rank', async () => {
  await using server = await startServer()
  const { admin, manager, super: sam, ann } = await usersWorld(server)
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

test('the welcome mail is sent again to a person without a password, five times an hour', async () => {
  await using server = await startServer()
  const { db } = server
  const { admin, manager, ann, member, foreigner } = await usersWorld(server)
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
