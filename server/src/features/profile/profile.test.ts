import { changePassword, getUserData, setUserData } from '@tessera/contract/people/profile'
import { authenticate } from '@tessera/contract/people/session'
import { permission } from '@tessera/contract/permissions'
import { createCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField, makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../test/postgres/lock-waits.ts'
import { type Caller, startServer } from '../../../test/servers/server.ts'
import { digest, newToken } from '../../http/session-cookie.ts'
import { hashPassword } from '../../lib/passwords/passwords.ts'

const pass = 'correct horse'
const newpass = 'battery and staple'
const passwordHash = await hashPassword(pass)

test('the own profile is read and changed; the e-mail is read-only [3.22] [7.14] [7.15]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const bob = await server.signedIn(await makeUser(server.db, organization, { fullName: 'Bob' }), organization)
  const ofBob = (await server.as(bob, getUserData, {})).body
  const ann = await server.signedIn(
    await makeUser(server.db, organization, { fullName: 'Ann Lee', email: 'ann@example.com' }),
    organization,
  )
  await expectRefusals(server, getUserData, { input: {}, caller: ann })
  expect((await server.as(ann, getUserData, {})).body).toEqual({
    Email: 'ann@example.com',
    FullName: 'Ann Lee',
    GivenName: '',
    AutoReceiveNotifications: true,
  })
  await expectRefusals(server, setUserData, {
    input: { GivenName: 'Annie' },
    caller: ann,
    bad: [
      [{ AutoReceiveNotifications: 1 }, 'AutoReceiveNotifications'],
      [{ FullName: 'x'.repeat(201) }, 'FullName'],
      [{ GivenName: null }, 'GivenName'],
    ],
  })
  const before = await databaseDigest(server.db)
  expect(await server.as(ann, setUserData, { GivenName: 'Annie', Email: 'eve@example.com' })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  expect(await databaseDigest(server.db)).toBe(before)
  expect(
    (await server.as(ann, setUserData, { GivenName: 'Annie', Email: 'ann@example.com', AutoReceiveNotifications: false })).body,
  ).toEqual({ Success: 1 })
  expect((await server.as(ann, getUserData, {})).body).toEqual({
    Email: 'ann@example.com',
    FullName: 'Ann Lee',
    GivenName: 'Annie',
    AutoReceiveNotifications: false,
  })
  expect((await server.as(bob, getUserData, {})).body).toEqual(ofBob)
})

test('asked for them, the profile says in which projects somebody has calendar feeds, which no password ends', async () => {
  await using server = await startServer()
  const world = await peopledProject(server)
  await makeField(server.db, world.organization, world.project, 'due', 'DATE')
  const [ann, bob] = [await world.someone([permission.viewTickets]), await world.someone([permission.viewTickets])]
  const feedsOf = async (who: Caller) => (await server.as(who, getUserData, { CalendarFeeds: 1 })).body.CalendarFeeds
  for (const Name of ['One', 'Two']) await server.as(ann, createCalendarFeed, { idProject: world.idProject, Name, Field: 'due' })
  expect(await feedsOf(ann)).toEqual([{ idProject: world.idProject, Title: expect.any(String), Feeds: 2 }])
  expect(await feedsOf(bob)).toEqual([])
})

test('changing the password rotates this session, ends every other and mails the owner [7.13]', async () => {
  await using server = await startServer()
  const [organization, second] = [await makeOrganization(server.db), await makeOrganization(server.db)]
  await makeUser(server.db, organization)
  const idUser = await makeUser(server.db, organization, { login: 'ann', passwordHash })
  await server.sql`insert into organization_member (organization_id, user_id) values (${second}, ${idUser})`
  const [here, phone, abroad] = [
    await server.signedIn(idUser, organization),
    await server.signedIn(idUser, organization),
    await server.signedIn(idUser, second),
  ]
  await expectRefusals(server, changePassword, { input: { pass, newpass }, caller: here, bad: [[{ pass, newpass: '' }, 'newpass']] })

  const before = await databaseDigest(server.db)
  expect(await server.as(here, changePassword, { pass, newpass: 'password1' })).toMatchObject({
    status: 422,
    body: { Success: 0, code: 'rule' },
  })
  expect(await server.as(here, changePassword, { pass, newpass: 'short' })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('8') },
  })
  expect(await databaseDigest(server.db)).toBe(before)
  expect(await server.as(here, changePassword, { pass: 'wrong', newpass })).toMatchObject({ status: 200, body: { Success: 0 } })

  await server.sql`insert into reset_code (code_hash, user_id, device_hash, expires_at) values ('', ${idUser}, '', now() + interval '1 hour')`
  const device = newToken()
  here.cookies.dev = device
  await server.sql`insert into known_device (user_id, device_hash) values (${idUser}, ''), (${idUser}, ${digest(device)})`
  const bob = await server.signedIn(await makeUser(server.db, organization, { passwordHash }), organization)
  await server.sql`insert into known_device (user_id, device_hash) values (${bob.idUser}, ${Buffer.of(1)})`
  await server.sql`
    insert into reset_code (code_hash, user_id, device_hash, expires_at) values (${Buffer.of(1)}, ${bob.idUser}, '', now() + interval '1 hour')`
  const answer = await server.as(here, changePassword, { pass, newpass })
  expect(answer.body).toEqual({ Success: 1 })
  expect(await server.sql`select password_hash from user_account where id = ${bob.idUser}`).toEqual([{ password_hash: passwordHash }])
  expect((await server.as(bob, getUserData, {})).status).toBe(200)
  expect(await server.sql`select device_hash from known_device order by user_id`).toEqual([
    { device_hash: digest(device) },
    { device_hash: Buffer.of(1) },
  ])
  const jar = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
  const rotated: Caller = { ...here, cookies: { ...here.cookies, ...jar }, headers: { 'x-xsrf-token': jar['XSRF-TOKEN'] ?? '' } }
  expect(rotated.cookies.sid).not.toBe(here.cookies.sid)
  expect((await server.as(rotated, setUserData, { GivenName: 'A' })).status).toBe(200)
  for (const ended of [here, phone, abroad]) expect((await server.as(ended, getUserData, {})).status).toBe(403)
  expect((await server.as(null, authenticate, { user: 'ann', pass, orgid: organization })).body).toEqual({ auth: 0 })
  expect((await server.as(null, authenticate, { user: 'ann', pass: newpass, orgid: organization })).body).toMatchObject({ auth: 1 })
  const rows = await server.sql`
    select payload -> 'mail' ->> 'to' as to, payload -> 'mail' ->> 'subject' as subject from graphile_worker._private_jobs`
  expect(rows).toEqual([{ to: 'ann@example.com', subject: 'Your password was changed' }])
  // Links to reset it, mailed before, work no more.
  expect(await server.sql`select user_id as id from reset_code`).toEqual([{ id: bob.idUser }])

  // A sign-in whose password was right when it was checked, but is no longer.
  const late = await server.db.transaction().execute(async db => {
    await sql`update user_account set password_hash = '' where id = ${idUser}`.execute(db)
    const answer = server.as(null, authenticate, { user: 'ann', pass: newpass, orgid: organization })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { answer }
  })
  expect((await late.answer).body).toEqual({ auth: 0 })
})

test('guessing the current password is throttled', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization, { passwordHash }), organization)
  const guesses = Array.from({ length: 30 }, () => server.as(ann, changePassword, { pass: 'guess', newpass }))
  // Sent last, it is checked after more than ten of them.
  const amongGuesses = server.as(ann, changePassword, { pass, newpass })
  expect((await Promise.all(guesses)).filter(({ status }) => status === 200)).toHaveLength(10)
  expect((await amongGuesses).status).toBe(429)
  expect(await server.as(ann, changePassword, { pass, newpass })).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.any(String) },
  })
})

test.each([
  ['the account is deactivated', sql`disabled = true`, passwordHash],
  ['it was changed elsewhere', sql`password_hash = 'other'`, 'other'],
])('a password is not changed once %s, and no session is opened', async (_, change, stored) => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const idUser = await makeUser(server.db, organization, { passwordHash })
  const ann = await server.signedIn(idUser, organization)
  const late = await server.db.transaction().execute(async db => {
    await sql`update user_account set ${change} where id = ${idUser}`.execute(db)
    const answer = server.as(ann, changePassword, { pass, newpass })
    await expect.poll(() => lockWaits(server.db), { timeout: 20_000 }).toBe(1)
    return { answer }
  })
  expect(await late.answer).toMatchObject({ status: 200, body: { Success: 0 } })
  expect(await server.sql`select password_hash from user_account where id = ${idUser}`).toEqual([{ password_hash: stored }])
  expect(await server.sql`select 1 from session where organization_id = ${organization} and user_id = ${idUser}`).toHaveLength(1)
})
