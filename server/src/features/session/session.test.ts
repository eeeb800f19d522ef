import { getUserData, setUserData } from '@tessera/contract/profile'
import { getPermissionTypes } from '@tessera/contract/project-config'
import {
  authenticate,
  connstate,
  endSessions,
  getClientConfig,
  getSessionList,
  logout,
  setUp,
  simulateTimeout,
} from '@tessera/contract/session'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/data/factories.ts'
import { recordStatements } from '../../../test/postgres/record-statements.ts'
import { type Caller, startServer, type TestServer } from '../../../test/servers/server.ts'
import { median, rounds } from '../../../test/torture/product.ts'
import { buildApp } from '../../app.ts'
import { connect, poolOf } from '../../db/db.ts'
import { hashPassword } from '../../lib/passwords.ts'

import { setUpAddress } from '../../process/first-run.ts'
import { closeSystem, createSystem } from '../../process/system.ts'

const pass = 'correct horse'
const hash = await hashPassword(pass)

/** A browser: keeps the cookies it is given and sends the CSRF token it holds. */
async function browser(server: TestServer) {
  const { cookies, headers } = await server.stranger()
  const caller: Caller = { idUser: 0, orgid: 0, cookies, headers }
  return {
    caller,
    async as<C extends Parameters<TestServer['as']>[1]>(call: C, input: unknown, extra: Record<string, string> = {}) {
      const answer = await server.as(caller, call, input, extra)
      for (const { name, value } of answer.cookies) {
        if (value === '') delete caller.cookies[name]
        else caller.cookies[name] = value
      }
      caller.headers['x-xsrf-token'] = caller.cookies['XSRF-TOKEN'] ?? ''
      return answer
    },
  }
}

test('signing in, being asked for the organization, signing out [1.1] [1.2] [3.1] [3.3] [4.2] [4.5] [7.1] [7.2] [7.3]', async () => {
  await using server = await startServer()
  const [first, second] = [await makeOrganization(server.db, 'Acme'), await makeOrganization(server.db, 'Bolt')]
  const foreign = await makeOrganization(server.db, 'Other')
  const ann = await makeUser(server.db, first, { login: 'Ann', passwordHash: hash })
  await server.db.insertInto('organization_member').values({ organization_id: second, user_id: ann }).execute()

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
  await server.db.updateTable('user_account').set({ disabled: true }).where('id', '=', gone).execute()
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
  const live = await sql<{
    count: number
  }>`/* all organizations: job */ select count(*)::int as count from session where ended_at is null`.execute(server.db)
  expect(live.rows[0]?.count).toBe(20)
  expect(await oldest.as(getSessionList, {})).toMatchObject({ status: 403 })
  expect(await newest.at(-1)?.as(getSessionList, {})).toMatchObject({ status: 200 })
})

test('a session ends by idleness and by age, both by the clock of the database; connstate does not keep it alive', async () => {
  await using server = await startServer({ TESSERA_SESSION_IDLE_MINUTES: '30', TESSERA_SESSION_MAX_HOURS: '2' })
  const organization = await makeOrganization(server.db)
  const idUser = await makeUser(server.db, organization)
  const age = async (caller: Caller, column: 'last_seen_at' | 'created_at', by: string) => {
    // A distributed table takes only immutable functions here, which arithmetic on timestamps with a time zone is not.
    const earlier = sql`(${sql.ref(column)} at time zone 'UTC' - ${by}::interval) at time zone 'UTC'`
    await sql`update session set ${sql.ref(column)} = ${earlier} where organization_id = ${organization} and user_id = ${idUser}`.execute(
      server.db,
    )
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
})

test('what a page reads again by itself does not keep the session alive, a mutation does whatever it says', async () => {
  await using server = await startServer({ TESSERA_SESSION_IDLE_MINUTES: '30' })
  const organization = await makeOrganization(server.db)
  const caller = await server.signedIn(await makeUser(server.db, organization), organization)
  const seenMinutesAgo = async () => {
    const { rows } = await sql<{
      minutes: number
    }>`select round(extract(epoch from now() - last_seen_at) / 60)::int as minutes from session where organization_id = ${organization}`.execute(
      server.db,
    )
    return rows[0]?.minutes
  }
  await sql`update session set last_seen_at = now() - interval '20 minutes' where organization_id = ${organization}`.execute(server.db)
  expect((await server.as(caller, getSessionList, {}, { 'x-background': '1' })).status).toBe(200)
  expect(await seenMinutesAgo()).toBe(20)
  expect((await server.as(caller, setUserData, { GivenName: 'Dana' }, { 'x-background': '1' })).status).toBe(200)
  expect(await seenMinutesAgo()).toBe(0)
  await sql`update session set last_seen_at = now() - interval '20 minutes' where organization_id = ${organization}`.execute(server.db)
  expect((await server.as(caller, getSessionList, {})).status).toBe(200)
  expect(await seenMinutesAgo()).toBe(0)
})

test('answers are neither cached nor run, refused or not', async () => {
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

test('a simulated time-out ends the session and answers 403 [7.4]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  expect(await server.as(ann, simulateTimeout, {})).toMatchObject({ status: 403, body: { auth: 0 } })
  expect((await server.as(ann, connstate, {})).body).toEqual({ auth: 0 })
})

test('the session list is the own one over all organizations; named sessions end, or all the others', async () => {
  await using server = await startServer()
  const [first, second] = [await makeOrganization(server.db, 'Acme'), await makeOrganization(server.db, 'Bolt')]
  const idUser = await makeUser(server.db, first)
  await server.db.insertInto('organization_member').values({ organization_id: second, user_id: idUser }).execute()
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
  expect((await server.as(here, endSessions, { ids: [bolt] })).body).toEqual({ Success: 1, Ended: 1 })
  expect((await server.as(there, getSessionList, {})).status).toBe(403)
  expect(await server.as(here, endSessions, { ids: [] })).toMatchObject({ status: 400 })
  expect((await server.as(here, endSessions, {})).body).toEqual({ Success: 1, Ended: 1 })
  expect((await server.as(third, getSessionList, {})).status).toBe(403)
  expect((await server.as(here, getSessionList, {})).status).toBe(200)
  expect((await server.as(stranger, getSessionList, {})).status).toBe(200)
  expect((await server.as(null, endSessions, {})).status).toBe(403)
})

test('guesses from elsewhere are refused after ten, and never lock the owner out of a browser they used before', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'Ann', passwordHash: hash })
  const owner = await browser(server)
  await owner.as(authenticate, { user: 'ann', pass })
  await owner.as(logout, {})

  const refused = []
  for (let guess = 0; guess < 60; guess += 10) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => server.as(null, authenticate, { user: index % 2 ? 'ANN' : 'ann', pass: `guess ${guess}` })),
    )
    refused.push(...answers.filter(({ status }) => status === 429))
  }
  expect(refused).toHaveLength(50)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(800)
  // From elsewhere, even the correct password is refused now.
  expect((await server.as(null, authenticate, { user: 'ann', pass })).status).toBe(429)
  expect((await owner.as(authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })

  // The known browser has its own count.
  for (let guess = 0; guess < 10; guess++) expect((await owner.as(authenticate, { user: 'ann', pass: 'x' })).body).toEqual({ auth: 0 })
  expect((await owner.as(authenticate, { user: 'ann', pass })).status).toBe(429)
  await sql`update throttle set blocked_until = now(), window_started_at = now() - interval '16 minutes'`.execute(server.db)
  expect((await owner.as(authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })
})

test('a name that does not exist is throttled alike; waits double up to an hour, whatever the number of failures, and then end', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const attack = async (user: string) => {
    const seen = []
    for (let guess = 0; guess < 11; guess++) seen.push((await server.as(null, authenticate, { user, pass: 'x' })).status)
    return seen
  }
  const known = await attack('ann')
  expect(known).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  expect(await attack('nobody')).toEqual(known)

  const wait = async () =>
    (
      await sql<{ minutes: number }>`select round(extract(epoch from blocked_until - now()) / 60)::int as minutes from throttle
        where bucket like 'near:%' order by consecutive desc limit 1`.execute(server.db)
    ).rows[0]?.minutes
  expect(await wait()).toBe(15)
  await sql`update throttle set blocked_until = null, failures = 9, consecutive = 19`.execute(server.db)
  await server.as(null, authenticate, { user: 'ann', pass: 'x' })
  expect(await wait()).toBe(30)
  await sql`update throttle set blocked_until = null, failures = 9, consecutive = 89`.execute(server.db)
  await server.as(null, authenticate, { user: 'ann', pass: 'x' })
  expect(await wait()).toBe(60)
  for (const consecutive of [99, 999, 1_000_000]) {
    await sql`update throttle set blocked_until = null, failures = 9, consecutive = ${consecutive}`.execute(server.db)
    await server.as(null, authenticate, { user: 'ann', pass: 'x' })
    expect(await wait()).toBe(60)
  }
  const { status, headers } = await server.as(null, authenticate, { user: 'ann', pass })
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
  // An hour later, in a browser nobody knows.
  const later = sql`window_started_at - interval '61 minutes', blocked_until = blocked_until - interval '61 minutes'`
  await sql`update throttle set window_started_at = ${later}`.execute(server.db)
  expect((await server.as(null, authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })
})

test('guesses from one network keep nobody waiting who signs in elsewhere in a new browser; from many they do, an hour at most', async () => {
  await using server = await startServer({ TRUST_PROXY: '1' })
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann', passwordHash: hash })
  const from = (address: string, given: string) =>
    server.as(null, authenticate, { user: 'ann', pass: given }, { 'x-forwarded-for': address })
  for (let guess = 0; guess < 30; guess++) await from('203.0.113.9', 'x')
  expect((await from('203.0.113.9', pass)).status).toBe(429)
  expect((await from('198.51.100.1', pass)).body).toMatchObject({ auth: 1 })
  for (let guess = 0; guess < 50; guess++) await from(`198.18.0.${guess}`, 'x')
  expect((await from('198.51.100.1', pass)).status).toBe(429)
  await sql`update throttle set blocked_until = null, failures = 49, consecutive = 1000000`.execute(server.db)
  await from('198.18.1.1', 'x')
  const { status, headers } = await from('198.51.100.1', pass)
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
})

test('an address that fails with any names is refused, yet a known browser behind it is not, and loopback never', async () => {
  await using server = await startServer({ TRUST_PROXY: '1' })
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const owner = await browser(server)
  await owner.as(authenticate, { user: 'ann', pass })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const fail = async (address: string, user: string) => (await server.as(null, authenticate, { user, pass: 'x' }, from(address))).status
  for (let name = 0; name < 50; name++) {
    await fail('203.0.113.9', `name ${name}`)
    await fail(`2001:db8:1:2::${name + 1}`, `other ${name}`)
    await fail('127.0.0.1', `local ${name}`)
  }
  expect(await fail('203.0.113.9', 'another')).toBe(429)
  expect(await fail('::ffff:203.0.113.9', 'another')).toBe(429)
  expect(await fail('203.0.113.10', 'another')).toBe(200)
  expect(await fail('2001:db8:1:2:ffff::1', 'another')).toBe(429)
  expect(await fail('2001:db8:1:3::1', 'another')).toBe(200)
  for (const local of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await fail(local, `one more from ${local}`)).toBe(200)
  expect((await owner.as(authenticate, { user: 'ann', pass }, from('203.0.113.9'))).body).toMatchObject({ auth: 1 })
})

test('guesses from elsewhere never keep the owner out', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const owner = await browser(server)
  await owner.as(authenticate, { user: 'ann', pass })
  const guesses = 200 * rounds(1)
  const guesser = { idUser: 0, orgid: 0, ...(await server.stranger()) }
  let made = 0
  const heard = new Map<number, number>()
  async function attack() {
    while (made++ < guesses) {
      const { status, body } = await server.as(guesser, authenticate, { user: 'ann', pass: `guess ${made}` })
      expect(body).not.toMatchObject({ auth: 1 })
      heard.set(status, (heard.get(status) ?? 0) + 1)
    }
  }
  const attacks = Array.from({ length: 8 }, attack)
  for (let time = 0; time < 2 * rounds(1); time++) {
    await owner.as(logout, {})
    expect((await owner.as(authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })
  }
  await Promise.all(attacks)
  console.log(`sign-in: ${guesses} guesses, ${heard.get(429)} refused unread; the owner let in ${2 * rounds(1)} of ${2 * rounds(1)} times`)
  expect([...heard.keys()].toSorted()).toEqual([200, 429])
})

test('a sign-in does the same for an unknown name as for a known one: statements, and work of the processor', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  const system = await createSystem(server.system.config, db)
  const app = await buildApp(system)
  const times: Record<string, number[]> = { ann: [], abe: [] }
  const work: Record<string, number[]> = { ann: [], abe: [] }
  const statements: Record<string, string[]> = {}
  for (let round = 0; round < 10 * rounds(1); round++) {
    for (const user of round % 2 ? ['ann', 'abe'] : ['abe', 'ann']) {
      await sql`delete from throttle`.execute(server.db)
      const who = await server.stranger()
      recorder.start()
      const [start, before] = [performance.now(), process.cpuUsage()]
      const { body } = await server.as({ idUser: 0, orgid: 0, ...who }, authenticate, { user, pass: 'wrong' }, {}, app)
      const { user: own, system: kernel } = process.cpuUsage(before)
      times[user]?.push(performance.now() - start)
      work[user]?.push(own + kernel)
      statements[user] = recorder.stop().map(({ text }) => text)
      expect(body).toEqual({ auth: 0 })
    }
  }
  await app.close()
  closeSystem(system)
  await db.destroy()
  expect(statements.abe).toEqual(statements.ann)
  // What the process itself computed, whatever runs beside it: nearly all of it is the hash, so without one it would be a fraction.
  const { ann = [], abe = [] } = work
  expect(Math.min(...abe)).toBeGreaterThan(Math.min(...ann) / 2)
  const difference = Math.abs(median(times.ann ?? []) / median(times.abe ?? []) - 1)
  console.log(`sign-in: ${ann.length} × a known and an unknown name in turns: medians differ by ${(difference * 100).toFixed(1)} %`)
  if (rounds(1) > 1) expect(difference).toBeLessThan(0.05)
})

test('CSRF: without a token, with a made-up one, with an old one and with that of another session nothing happens [7.46]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash, admin: true })
  const tab = await browser(server)
  const before = tab.caller.headers['x-xsrf-token'] as string
  await tab.as(authenticate, { user: 'ann', pass })
  const other = await browser(server)
  await other.as(authenticate, { user: 'ann', pass })
  const tokens = ['', 'made.up', before, other.caller.headers['x-xsrf-token'] as string]
  for (const token of tokens) {
    const caller = { ...tab.caller, headers: { 'x-xsrf-token': token } }
    expect(await server.as(caller, endSessions, {})).toMatchObject({ status: 400, body: { code: 'csrf' } })
    expect(await server.as({ ...caller, cookies: { pre: 'x' } }, authenticate, { user: 'ann', pass })).toMatchObject({
      status: 400,
      body: { code: 'csrf' },
    })
  }
  for (const site of ['cross-site', 'same-site']) {
    expect(await server.as(tab.caller, endSessions, {}, { 'sec-fetch-site': site })).toMatchObject({ status: 400, body: { code: 'csrf' } })
  }
  expect(await server.as(tab.caller, endSessions, {}, { origin: 'https://evil.example' })).toMatchObject({ status: 400 })
  expect((await other.as(getSessionList, {})).body).toHaveLength(2)
  expect(await server.as(tab.caller, endSessions, {}, { 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
})

test('a link or an image on another site cannot sign anybody out', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  ]) {
    expect(await server.as(ann, logout, {}, headers as Record<string, string>)).toMatchObject({ status: 400, body: { code: 'csrf' } })
  }
  expect((await server.as(ann, connstate, {})).body.auth).toBe(1)
  expect(await server.as(null, logout, {})).toMatchObject({ status: 200, body: { Success: 1 } })
})

test('a page that believes in another user is told so', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  expect(await server.as(ann, endSessions, {}, { 'x-session-user': String(ann.idUser + 1) })).toMatchObject({
    status: 409,
    body: { code: 'identity_changed', idUser: ann.idUser },
  })
  expect(await server.as(ann, endSessions, {}, { 'x-session-user': String(ann.idUser) })).toMatchObject({ status: 200 })
})

test('the set-up address makes the first super user, once', async () => {
  await using server = await startServer()
  const token = setUpAddress(server.system.config, server.system.secret).split('/').at(-1) as string
  const first = { LoginName: 'sam', Password: 'a good long phrase', Email: 'sam@example.com', Organization: 'Acme' }
  expect(await server.as(null, setUp, { ...first, Token: 'guess' })).toMatchObject({ status: 422 })
  expect(await server.as(null, setUp, { ...first, Token: token, Password: 'password1' })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  expect(await server.as(null, setUp, { ...first, Token: token, LoginName: 'two words' })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'LoginName' }] },
  })
  const config = async () => (await server.as(null, getClientConfig, {})).body
  expect(await config()).toMatchObject({
    product: 'Tessera',
    language: 'en',
    setUpNeeded: true,
    limits: { passwordMinLength: 8, sessionIdleMinutes: 60 },
  })
  const answers = await Promise.all([1, 2, 3].map(() => server.as(null, setUp, { ...first, Token: token })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  expect((await config()).setUpNeeded).toBe(false)
  expect(await server.as(null, setUp, { ...first, Token: token, LoginName: 'eve', Organization: 'Eve' })).toMatchObject({ status: 422 })
  expect((await server.as(null, authenticate, { user: 'sam', pass: first.Password })).body).toMatchObject({
    auth: 1,
    super: 1,
    orgname: 'Acme',
    orgperms: ['Organisation Admin'],
  })
})

test('the first read of a program without cookies gives it a token to post with', async () => {
  await using server = await startServer()
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann' })
  const config = await server.app.inject({ url: getClientConfig.path })
  const cookies = Object.fromEntries(config.cookies.map(({ name, value }) => [name, value]))
  const signIn = await server.app.inject({
    method: 'POST',
    url: authenticate.path,
    cookies,
    headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
    payload: { user: 'ann', pass: 'wrong' },
  })
  expect([signIn.statusCode, signIn.json()]).toEqual([200, { auth: 0 }])
  expect((await server.app.inject({ url: getClientConfig.path, cookies })).cookies).toEqual([])
})

test('a call with an empty body takes nothing at all for an empty object, and only that [7.14]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const ann = await server.signedIn(await makeUser(server.db, organization), organization)
  const post = (payload: string | undefined, headers: Record<string, string>) =>
    server.app.inject({
      method: 'POST',
      url: getUserData.path,
      cookies: ann.cookies,
      headers: { ...ann.headers, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
  expect((await post(undefined, {})).statusCode).toBe(200)
  expect((await post('', { 'content-type': 'application/json' })).statusCode).toBe(200)
  expect((await post('null', { 'content-type': 'application/json' })).statusCode).toBe(400)
  expect((await post('{}', { 'content-type': 'text/plain' })).statusCode).toBe(415)
})
