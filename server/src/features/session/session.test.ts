import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { setUserData } from '@tessera/contract/people/profile'
import { authenticate, connstate, endSessions, getSessionList, logout, simulateTimeout } from '@tessera/contract/people/session'
import { allPermissions } from '@tessera/contract/permissions'
import { getPermissionTypes } from '@tessera/contract/projects/project-config'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
import { browser, hash, pass } from '../../../test/servers/browser.ts'
import { type Caller, startServer } from '../../../test/servers/server.ts'

test('signing in, being asked for the organization, signing out [1.1] [1.2] [3.1] [3.3] [4.2] [4.5] [7.1] [7.2] [7.3]', async () => {
  await using server = await startServer()
  const [first, second] = [await makeOrganization(server.db, 'Acme'), await makeOrganization(server.db, 'Bolt')]
  const foreign = await makeOrganization(server.db, 'Other')
  const ann = await makeUser(server.db, first, { login: 'Ann', passwordHash: hash })
  await server.sql`insert into organization_member (organization_id, user_id) values (${second}, ${ann})`

  const signIn = async (input: object) => (await server.as(null, authenticate, input)).body
  expect(await signIn({ user: 'ann', pass: 'wrong' })).toEqual({ auth: 0 })
  expect(await signIn({ user: 'ann', pass: 'wrong', orgid: first })).toEqual({ auth: 0 })
  expect(await signIn({ user: 'nobody', pass })).toEqual({ auth: 0 })
  expect(await signIn({ user: 'ann', pass, orgid: foreign })).toEqual({ auth: 0 })
  expect(await signIn({ user: 'ann', pass })).toEqual({
    auth: 0,
    orglist: [
      { id: first, name: 'Acme' },
      { id: second, name: 'Bolt' },
    ],
  })
  const tab = await browser(server)
  expect((await tab.as(authenticate, { user: 'ann', pass, orgid: second })).body).toEqual({
    auth: 1,
    idUser: ann,
    orgname: 'Bolt',
    orgid: second,
    super: 0,
    managedorgs: 0,
    orgperms: [],
    projperms: [],
    projects: [],
    DisplayName: 'Ann',
  })
  expect((await tab.as(connstate, {})).body).toMatchObject({ auth: 1, orgid: second })
  const left = await tab.as(logout, {})
  expect(left.body).toEqual({ Success: 1 })
  expect(left.headers['clear-site-data']).toBe('"cache"')
  expect((await tab.as(connstate, {})).body).toEqual({ auth: 0 })
  expect(await tab.as(simulateTimeout, {})).toMatchObject({ status: 403, body: { auth: 0 } })
  // The token received when signing out is valid for signing in again.
  expect((await tab.as(authenticate, { user: 'ann', pass, orgid: first })).body).toMatchObject({ auth: 1 })
})

test('a disabled user and one without a password are answered as a wrong password; a super user chooses any organization', async () => {
  await using server = await startServer()
  const [first, second] = [await makeOrganization(server.db, 'Acme'), await makeOrganization(server.db, 'Bolt')]
  const gone = await makeUser(server.db, first, { login: 'gone', passwordHash: hash })
  await server.sql`update user_account set disabled = true where id = ${gone}`
  await makeUser(server.db, first, { login: 'new' })
  await makeUser(server.db, first, { login: 'sam', passwordHash: hash, super: true })
  for (const user of ['gone', 'new']) expect((await server.as(null, authenticate, { user, pass })).body).toEqual({ auth: 0 })
  expect((await server.as(null, authenticate, { user: 'sam', pass })).body).toMatchObject({
    auth: 0,
    orglist: [{ id: first }, { id: second }],
  })
  expect((await server.as(null, authenticate, { user: 'sam', pass, orgid: second })).body).toMatchObject({
    auth: 1,
    orgid: second,
    super: 1,
  })
})

test('a bad sign-in request is a 400', async () => {
  await using server = await startServer()
  expect(await server.as(null, authenticate, { user: 'ann' })).toMatchObject({ status: 400, body: { fields: [{ path: 'pass' }] } })
  expect(await server.as(null, authenticate, { user: 'ann', pass, orgid: '1' })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'orgid' }] },
  })
  expect(await server.as(null, authenticate, { user: 'ann', pass, more: 1 })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'more' }] },
  })
})

test('signing in again gives a new token and ends the old session of this browser alone', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const [desk, phone] = [await browser(server), await browser(server)]
  for (const tab of [desk, phone]) await tab.as(authenticate, { user: 'ann', pass })
  const before = { ...desk.caller, cookies: { ...desk.caller.cookies }, headers: { ...desk.caller.headers } }
  expect((await desk.as(authenticate, { user: 'ann', pass, orgid: organization })).body).toMatchObject({ auth: 1 })
  expect(desk.caller.cookies.sid).not.toBe(before.cookies.sid)
  expect(await server.as(before, getSessionList, {})).toMatchObject({ status: 403 })
  expect((await phone.as(getSessionList, {})).body).toHaveLength(2)
  // What a browser claims to be is replaced if anybody could guess it.
  phone.caller.cookies.dev = 'phone'
  await phone.as(authenticate, { user: 'ann', pass })
  expect(phone.caller.cookies.dev).toMatch(/^[\w-]{43}$/)
})

test('a person has at most 20 live sessions: the oldest ends, also when sign-ins happen side by side', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const oldest = await browser(server)
  await oldest.as(authenticate, { user: 'ann', pass })
  const newest = []
  for (let round = 0; round < 3; round++) {
    const tabs = await Promise.all(Array.from({ length: 8 }, () => browser(server)))
    await Promise.all(tabs.map(tab => tab.as(authenticate, { user: 'ann', pass })))
    newest.push(...tabs)
  }
  const live = await server.sql<{ count: number }>`
    /* all organizations: job */ select count(*)::int as count from session where ended_at is null`
  expect(live[0]?.count).toBe(20)
  expect(await oldest.as(getSessionList, {})).toMatchObject({ status: 403 })
  expect(await newest.at(-1)?.as(getSessionList, {})).toMatchObject({ status: 200 })
  // A clock that was set back does not make the new one the oldest.
  await server.sql`update session set created_at = ${new Date(Date.now() + 3_600_000)} where organization_id = ${organization}`
  await oldest.as(authenticate, { user: 'ann', pass })
  expect(await oldest.as(getSessionList, {})).toMatchObject({ status: 200 })
})

test('a session ends by idleness and by age, both by the clock of the database; connstate does not keep it alive', async () => {
  await using server = await startServer({ TESSERA_SESSION_IDLE_MINUTES: '30', TESSERA_SESSION_MAX_HOURS: '2' })
  const organization = await makeOrganization(server.db)
  const idUser = await makeUser(server.db, organization)
  const age = async (caller: Caller, column: 'last_seen_at' | 'created_at', by: string) => {
    // A distributed table takes only immutable functions here, which arithmetic on timestamps with a time zone is not.
    const earlier = sql`(${sql.ref(column)} at time zone 'UTC' - ${by}::interval) at time zone 'UTC'`
    await server.sql`update session set ${sql.ref(column)} = ${earlier} where organization_id = ${organization} and user_id = ${idUser}`
    return (await server.as(caller, connstate, {})).body.auth
  }
  const idle = await server.signedIn(idUser, organization)
  expect(await age(idle, 'last_seen_at', '29 minutes')).toBe(1)
  expect(await age(idle, 'last_seen_at', '2 minutes')).toBe(0)
  expect(await server.as(idle, getSessionList, {})).toMatchObject({ status: 403, body: { auth: 0 } })

  const busy = await server.signedIn(idUser, organization)
  await age(busy, 'last_seen_at', '29 minutes')
  expect((await server.as(busy, getSessionList, {})).status).toBe(200)
  expect(await age(busy, 'last_seen_at', '2 minutes')).toBe(1)
  expect(await age(busy, 'created_at', '119 minutes')).toBe(1)
  expect(await age(busy, 'created_at', '2 minutes')).toBe(0)
  expect((await server.as(busy, getSessionList, {})).status).toBe(403)
})

test('a call every 20 seconds keeps a session alive that ends after an idle minute', async () => {
  await using server = await startServer({ TESSERA_SESSION_IDLE_MINUTES: '1' })
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  for (let round = 0; round < 5; round++) {
    await server.sql`
      update session set last_seen_at = (last_seen_at at time zone 'UTC' - interval '20 seconds') at time zone 'UTC'
      where organization_id = ${organization} and user_id = ${ann.idUser}`
    expect((await server.as(ann, getSessionList, {})).status).toBe(200)
  }
  // It does not outlive the account or the membership.
  const ben = await server.signedIn(await makeUser(server.db, organization), organization)
  await server.sql`update user_account set disabled = true where id = ${ann.idUser}`
  await server.sql`delete from organization_member where organization_id = ${organization} and user_id = ${ben.idUser}`
  for (const who of [ann, ben]) {
    expect((await server.as(who, getSessionList, {})).status).toBe(403)
    expect((await server.as(who, connstate, {})).body).toEqual({ auth: 0 })
  }
})

test('background reads do not extend the session; a mutation always does', async () => {
  await using server = await startServer({ TESSERA_SESSION_IDLE_MINUTES: '30' })
  const organization = await makeOrganization(server.db)
  const caller = await server.signedIn(await makeUser(server.db, organization), organization)
  const other = await server.signedIn(await makeUser(server.db, organization), organization)
  const seenMinutesAgo = async ({ idUser } = caller) => {
    const rows = await server.sql<{ minutes: number }>`
      select round(extract(epoch from now() - last_seen_at) / 60)::int as minutes from session
      where organization_id = ${organization} and user_id = ${idUser}`
    return rows[0]?.minutes
  }
  await server.sql`update session set last_seen_at = now() - interval '20 minutes' where organization_id = ${organization}`
  expect((await server.as(caller, getSessionList, {}, { 'x-background': '1' })).status).toBe(200)
  expect(await seenMinutesAgo()).toBe(20)
  expect((await server.as(caller, setUserData, { GivenName: 'Dana' }, { 'x-background': '1' })).status).toBe(200)
  expect(await seenMinutesAgo()).toBe(0)
  await server.sql`update session set last_seen_at = now() - interval '20 minutes' where organization_id = ${organization}`
  expect((await server.as(caller, getSessionList, {})).status).toBe(200)
  expect([await seenMinutesAgo(), await seenMinutesAgo(other)]).toEqual([0, 20])
})

test('no answer can be cached or run as a script, refused or not', async () => {
  await using server = await startServer()
  for (const caller of [null, await server.signedIn(await makeUser(server.db, await makeOrganization(server.db), { super: true }), 1)]) {
    const { headers } = await server.as(caller, getPermissionTypes, {})
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('a signed-in person gets the projects that they may see, and what they may do there', async () => {
  await using server = await startServer()
  const { db } = server
  const organization = await makeOrganization(db)
  const make = (title: string) => makeProject(db, organization, { title, shortCode: title })
  const [seen, unseen, others, archived] = [await make('A'), await make('B'), await make('C'), await make('D')]
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${archived.projectId}`
  const [ann, bob] = [await makeUser(db, organization), await makeUser(db, organization)]
  for (const { projectId } of [seen, unseen, others, archived]) await makeMember(db, organization, projectId, bob, 'all')
  await makeMember(db, organization, seen.projectId, ann, [1, 6])
  await makeMember(db, organization, unseen.projectId, ann, [2, 6])
  await makeMember(db, organization, archived.projectId, ann, 'all')
  const read = async (idUser: number) => (await server.as(await server.signedIn(idUser, organization), connstate, {})).body
  expect(await read(ann)).toMatchObject({
    projects: [{ id: seen.projectId, shortcode: 'A', Title: 'A' }],
    projperms: [{ idProject: seen.projectId, Permissions: [1, 6] }],
  })
  for (const rank of [{ admin: true }, { super: true }])
    expect(await read(await makeUser(db, organization, rank))).toMatchObject({
      projects: [{ Title: 'A' }, { Title: 'B' }, { Title: 'C' }],
      projperms: Array(3).fill({ Permissions: allPermissions }),
    })
})

test('a simulated time-out ends the session and answers 403 [7.4]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const idUser = await makeUser(server.db, organization)
  const [ann, phone] = [await server.signedIn(idUser, organization), await server.signedIn(idUser, organization)]
  expect(await server.as(ann, simulateTimeout, {})).toMatchObject({ status: 403, body: { auth: 0 } })
  expect((await server.as(ann, connstate, {})).body).toEqual({ auth: 0 })
  expect((await server.as(phone, connstate, {})).body.auth).toBe(1)
})

test('the session list has the person’s sessions in all organizations; given sessions or all others can be ended', async () => {
  await using server = await startServer()
  const [first, second] = [await makeOrganization(server.db, 'Acme'), await makeOrganization(server.db, 'Bolt')]
  const idUser = await makeUser(server.db, first)
  await server.sql`insert into organization_member (organization_id, user_id) values (${second}, ${idUser})`
  const [here, there, third] = [
    await server.signedIn(idUser, first),
    await server.signedIn(idUser, second),
    await server.signedIn(idUser, first),
  ]
  const stranger = await server.signedIn(await makeUser(server.db, first), first)
  const list = (await server.as(here, getSessionList, {})).body
  expect(list.map(({ Organization, Current }) => [Organization, Current])).toEqual(
    expect.arrayContaining([
      ['Acme', 1],
      ['Bolt', 0],
      ['Acme', 0],
    ]),
  )
  expect(list).toHaveLength(3)
  const bolt = list.find(({ Organization }) => Organization === 'Bolt')?.id as string
  expect(await server.as(stranger, endSessions, { ids: [bolt] })).toMatchObject({ status: 404 })
  expect(await server.as(here, endSessions, { ids: [bolt, 'nothing'] })).toMatchObject({ status: 404 })
  expect((await server.as(there, getSessionList, {})).status).toBe(200)
  expect((await server.as(here, endSessions, { ids: [bolt, bolt] })).body).toEqual({ Success: 1, Ended: 1 })
  expect((await server.as(here, endSessions, { ids: [bolt] })).body).toEqual({ Success: 1, Ended: 0 })
  expect((await server.as(there, getSessionList, {})).status).toBe(403)
  expect(await server.as(here, endSessions, { ids: [] })).toMatchObject({ status: 400 })
  expect((await server.as(here, endSessions, {})).body).toEqual({ Success: 1, Ended: 1 })
  expect((await server.as(third, getSessionList, {})).status).toBe(403)
  expect((await server.as(here, getSessionList, {})).status).toBe(200)
  expect((await server.as(stranger, getSessionList, {})).status).toBe(200)
  expect((await server.as(null, endSessions, {})).status).toBe(403)
})

test('the address of a client that has hung up is still known for throttles and the list of sessions', async () => {
  await using server = await startServer()
  const { promise: asked, resolve } = Promise.withResolvers<FastifyRequest>()
  server.app.addHook('onRequest', (request, _reply, done) => {
    resolve(request)
    done()
  })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const client = connectTo(port, '127.0.0.1')
  client.write(`GET ${connstate.path} HTTP/1.1\r\nHost: tessera.test\r\n\r\n`)
  const request = await asked
  client.destroy()
  await once(request.socket, 'close')
  expect(request.ip).toBe('127.0.0.1')
})
