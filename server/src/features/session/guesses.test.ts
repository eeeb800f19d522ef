import { authenticate, logout } from '@tessera/contract/people/session'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { lockWaits } from '../../../test/postgres/lock-waits.ts'
import { browser, hash, pass } from '../../../test/servers/browser.ts'
import { startServer } from '../../../test/servers/server.ts'
import { recordedApplication } from '../../../test/statements/recorded-application.ts'
import { median, rounds } from '../../../test/torture/tools/product.ts'

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
  expect((await server.as(null, authenticate, { user: 'ann', pass })).status).toBe(429)

  // The known browser has its own count.
  for (let guess = 0; guess < 10; guess++) expect((await owner.as(authenticate, { user: 'ann', pass: 'x' })).body).toEqual({ auth: 0 })
  expect((await owner.as(authenticate, { user: 'ann', pass })).status).toBe(429)
  await server.sql`update throttle set blocked_until = now(), window_started_at = now() - interval '16 minutes'`
  expect((await owner.as(authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })
})

test('a right password among many guesses at once is refused, as it would be after them', async () => {
  await using server = await startServer()
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann', passwordHash: hash })
  const guesses = Array.from({ length: 30 }, () => server.as(null, authenticate, { user: 'ann', pass: 'guess' }))
  expect((await server.as(null, authenticate, { user: 'ann', pass })).status).toBe(429)
  await Promise.all(guesses)
})

test('the owner signs in from a known browser while strangers try more names at once than can wait', { tags: ['long'] }, async () => {
  await using server = await startServer()
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann', passwordHash: hash })
  const owner = await browser(server)
  await owner.as(authenticate, { user: 'ann', pass })
  await owner.as(logout, {})
  const strangers = Array.from({ length: 400 }, (_, index) => server.as(null, authenticate, { user: `name ${index}`, pass: 'guess' }))
  // So many that the next ones are refused.
  await Promise.any(strangers.map(async answer => expect((await answer).status).toBe(429)))
  expect((await owner.as(authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })
  await Promise.all(strangers)
})

test('an unknown name is throttled in the same way; waits double up to an hour, whatever the number of failures', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const gone = await makeUser(server.db, organization, { login: 'gone', passwordHash: hash })
  await server.sql`update user_account set disabled = true where id = ${gone}`
  const attack = async (user: string, guessed = 'x') => {
    const seen = []
    for (let guess = 0; guess < 11; guess++) seen.push((await server.as(null, authenticate, { user, pass: guessed })).status)
    return seen
  }
  const known = await attack('ann')
  expect(known).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  expect(await attack('nobody')).toEqual(known)
  // A deactivated account does not tell whether the password was right.
  expect(await attack('gone', pass)).toEqual(known)

  const wait = async () =>
    (
      await server.sql<{ minutes: number }>`select round(extract(epoch from blocked_until - now()) / 60)::int as minutes from throttle
        where bucket like 'near:%' order by consecutive desc limit 1`
    )[0]?.minutes
  expect(await wait()).toBe(15)
  await server.sql`update throttle set blocked_until = null, failures = 9, consecutive = 19`
  await server.as(null, authenticate, { user: 'ann', pass: 'x' })
  expect(await wait()).toBe(30)
  await server.sql`update throttle set blocked_until = null, failures = 9, consecutive = 89`
  await server.as(null, authenticate, { user: 'ann', pass: 'x' })
  expect(await wait()).toBe(60)
  for (const consecutive of [99, 999, 1_000_000]) {
    await server.sql`update throttle set blocked_until = null, failures = 9, consecutive = ${consecutive}`
    await server.as(null, authenticate, { user: 'ann', pass: 'x' })
    expect(await wait()).toBe(60)
  }
  const { status, headers } = await server.as(null, authenticate, { user: 'ann', pass })
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
  // An hour later, in a browser nobody knows.
  const later = sql`window_started_at - interval '61 minutes', blocked_until = blocked_until - interval '61 minutes'`
  await server.sql`update throttle set window_started_at = ${later}`
  expect((await server.as(null, authenticate, { user: 'ann', pass })).body).toMatchObject({ auth: 1 })
})

test('guesses from one network delay nobody who signs in elsewhere in a new browser; from many networks they do, an hour at most', async () => {
  await using server = await startServer({ TRUST_PROXY: '1' })
  await makeUser(server.db, await makeOrganization(server.db), { login: 'ann', passwordHash: hash })
  const from = (address: string, given: string) =>
    server.as(null, authenticate, { user: 'ann', pass: given }, { 'x-forwarded-for': address })
  for (let guess = 0; guess < 30; guess++) await from('203.0.113.9', 'x')
  expect((await from('203.0.113.9', pass)).status).toBe(429)
  expect((await from('198.51.100.1', pass)).body).toMatchObject({ auth: 1 })
  await from('198.18.0.1', 'x')
  // As after guesses from 48 more networks, which would cost a password hash each.
  await server.sql`update throttle set failures = 49 where bucket like 'unknown:%'`
  await from('198.18.0.2', 'x')
  expect((await from('198.51.100.1', pass)).status).toBe(429)
  await server.sql`update throttle set blocked_until = null, failures = 49, consecutive = 1000000`
  await from('198.18.1.1', 'x')
  const { status, headers } = await from('198.51.100.1', pass)
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
})

test('an address with many failures is refused, but not a known browser behind it, and never loopback', async () => {
  await using server = await startServer({ TRUST_PROXY: '1' })
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  const owner = await browser(server)
  await owner.as(authenticate, { user: 'ann', pass })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const fail = async (address: string, user: string) => (await server.as(null, authenticate, { user, pass: 'x' }, from(address))).status
  const failFromEach = async (part: number) => {
    for (const address of ['203.0.113.9', `2001:db8:1:2::${part}`, '127.0.0.1', '::1']) await fail(address, `name ${part} at ${address}`)
  }
  await failFromEach(1)
  // As after 48 more failures of each, which would cost a password hash each.
  await server.sql`update throttle set failures = 49 where bucket like 'address:%'`
  // Nobody clears the count with an account of their own.
  expect((await server.as(null, authenticate, { user: 'ann', pass }, from('203.0.113.9'))).body).toMatchObject({ auth: 1 })
  await failFromEach(2)
  expect(await fail('203.0.113.9', 'another')).toBe(429)
  for (const written of ['::ffff:203.0.113.9', '203.0.113.9:52044', '[2001:db8:1:2::1]:52044', '[2001:db8:1:2::1]'])
    expect(await fail(written, 'another'), written).toBe(429)
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

test('a sign-in runs the same statements and takes the same processor time for an unknown name as for a known one', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  await makeUser(server.db, organization, { login: 'ann', passwordHash: hash })
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded
  const times: Record<string, number[]> = { ann: [], abe: [] }
  const work: Record<string, number[]> = { ann: [], abe: [] }
  const statements: Record<string, string[]> = {}
  for (let round = 0; round < 10 * rounds(1); round++) {
    for (const user of round % 2 ? ['ann', 'abe'] : ['abe', 'ann']) {
      await server.sql`delete from throttle`
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
  expect(statements.abe).toEqual(statements.ann)
  // What the process itself computed, whatever runs beside it: nearly all of it is the hash, so without one it would be a fraction.
  const { ann = [], abe = [] } = work
  expect(Math.min(...abe)).toBeGreaterThan(Math.min(...ann) / 2)
  const difference = Math.abs(median(times.ann ?? []) / median(times.abe ?? []) - 1)
  console.log(`sign-in: ${ann.length} × a known and an unknown name in turns: medians differ by ${(difference * 100).toFixed(1)} %`)
  if (rounds(1) > 1) expect(difference).toBeLessThan(0.05)
})

test('a sign-in with a password that is being changed is refused', async () => {
  await using server = await startServer()
  const idUser = await makeUser(server.db, await makeOrganization(server.db), { login: 'ann', passwordHash: hash })
  const { asked } = await server.db.transaction().execute(async change => {
    await sql`update user_account set password_hash = 'another' where id = ${idUser}`.execute(change)
    const signIn = server.as(null, authenticate, { user: 'ann', pass })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { asked: signIn }
  })
  expect((await asked).body).toEqual({ auth: 0 })
  expect(await server.sql`/* all organizations: job */ select 1 from session where user_id = ${idUser}`).toEqual([])
})
