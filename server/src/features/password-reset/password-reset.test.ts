import { resetPassword } from '@tessera/contract/people/password-reset'
import { getUserData } from '@tessera/contract/people/profile'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { expect, test } from 'vitest'
import { makeUser } from '../../../test/fixtures/factories.ts'
import { activate, ask, codeIn, earlier, password, resetWorld, token, untilDone } from '../../../test/fixtures/worlds/reset-world.ts'
import { eventually } from '../../../test/servers/mail.ts'
import type { Caller } from '../../../test/servers/server.ts'
import { recordedApplication } from '../../../test/statements/recorded-application.ts'
import { median, rounds } from '../../../test/torture/tools/product.ts'
import { digest } from '../../http/session-cookie.ts'
import { quiet } from '../../lib/background/job-queue.ts'
import { addressBuckets, unknownDevicesBuckets } from '../../lib/throttle.ts'
import { resetMail } from './jobs.ts'

test('a mailed link sets the password once, ends every session and notifies the owner [7.17] [7.18]', async () => {
  await using w = await resetWorld()
  const { server, smtp, organization, ann } = w
  const session = await server.signedIn(ann, organization)
  const { caller, answer } = await ask(server, ' ANN ')
  expect(answer).toMatchObject({ status: 200, body: { Success: 1 } })
  await eventually(() => expect(smtp.mails).toHaveLength(1))
  const [mail] = smtp.mails
  expect(mail?.to).toEqual(['ann@example.com'])
  const code = codeIn(mail?.text)
  expect(mail?.raw).not.toContain('evil.example')
  const stored = await server.sql<{ text: string }>`
    select row_to_json(r)::text as text from reset_code r union all select payload::text from graphile_worker._private_jobs`
  expect(JSON.stringify(stored)).not.toContain(code)

  // Somebody guesses passwords, and has a browser that Ann used.
  for (const { name } of unknownDevicesBuckets('ann', '127.0.0.1'))
    await server.sql`insert into throttle (bucket, failures, consecutive, blocked_until) values (${name}, 0, 10, now() + interval '1 hour')`
  const bob = await makeUser(server.db, organization)
  await server.sql`insert into known_device (user_id, device_hash) values (${ann}, ''), (${bob}, '')`
  // Opening the link changes nothing.
  await server.app.inject({ url: `/reset-password-verify/${code}` })
  expect(await activate(server, caller, code)).toMatchObject({ status: 200, body: { Success: 1 } })
  // Only this browser is known from now on.
  expect(await server.sql`select user_id from known_device order by user_id`).toEqual([{ user_id: ann }, { user_id: bob }])
  expect((await server.as(session, getUserData, {})).status).toBe(403)
  expect((await server.as(caller, connstate, {})).body).toEqual({ auth: 0 })
  expect((await server.as(null, authenticate, { user: 'ann', pass: 'correct horse' })).body).toEqual({ auth: 0 })
  expect((await server.as(null, authenticate, { user: 'ann', pass: password })).body).toMatchObject({ auth: 1 })
  await eventually(() => expect(smtp.mails[1]?.raw).toContain('Subject: Your password was changed'))
  expect(await activate(server, caller, code, 'another good phrase')).toMatchObject({ status: 422 })
  expect((await server.as(null, authenticate, { user: 'ann', pass: password })).body).toMatchObject({ auth: 1 })
})

test('an unknown, foreign, expired or used code gets the same answer and changes nothing', async () => {
  await using w = await resetWorld()
  const { server, smtp } = w
  const { caller } = await ask(server, 'ann@example.com')
  await eventually(() => expect(smtp.mails).toHaveLength(1))
  const code = codeIn(smtp.mails[0]?.text)
  const other = (await ask(server, 'nobody')).caller
  const refusals = [await activate(server, caller, 'x'.repeat(43)), await activate(server, other, code), await activate(server, null, code)]
  await server.sql`update user_account set disabled = true`
  refusals.push(await activate(server, caller, code))
  await server.sql`update user_account set disabled = false`
  await server.sql`update reset_code set expires_at = now() - interval '1 second'`
  refusals.push(await activate(server, caller, code))
  await server.sql`update reset_code set expires_at = now() + interval '1 minute', used_at = now()`
  refusals.push(await activate(server, caller, code))
  for (const { status, body } of refusals) {
    expect({ status, ...body, requestId: '' }).toEqual({
      status: 422,
      Success: 0,
      code: 'rule',
      error: 'This reset code does not work',
      requestId: '',
    })
  }
  await server.sql`update reset_code set used_at = null`
  expect(await activate(server, caller, code, 'password1')).toMatchObject({
    status: 422,
    body: { code: 'rule', fields: [{ path: 'password' }] },
  })
  expect(await activate(server, caller, code, 'ann@Acme')).toMatchObject({ status: 422, body: { fields: [{ path: 'password' }] } })
  expect(await activate(server, caller, code)).toMatchObject({ status: 200 })
})

test('the code lives for fifteen minutes by the clock of the database [9.1]', async () => {
  await using w = await resetWorld()
  const { server, smtp } = w
  const { caller } = await ask(server, 'ann')
  await eventually(() => expect(smtp.mails).toHaveLength(1))
  const code = codeIn(smtp.mails[0]?.text)
  // A mail that waited as long as its code would live is not sent.
  await resetMail(server.system, { userId: w.ann, device: '00', givenUpAt: Date.now() - 60_000 }, quiet)
  expect(smtp.mails).toHaveLength(1)
  const age = (by: string) =>
    server.sql`update reset_code set expires_at = ${earlier('expires_at', by)}, created_at = ${earlier('created_at', by)}`
  await age('15 minutes 1 second')
  expect((await activate(server, caller, code)).status).toBe(422)
  // A margin for busy machines: the activation itself takes a while.
  await age('-30 seconds')
  expect((await activate(server, caller, code)).status).toBe(200)
})

test('of fifty activations at once one succeeds, and none in another browser or later', async () => {
  await using w = await resetWorld()
  const { server, smtp } = w
  for (let code = 0; code < rounds(1); code++) {
    await server.sql`delete from throttle`
    const before = smtp.mails.length
    const { caller } = await ask(server, 'ann')
    await eventually(() => expect(smtp.mails).toHaveLength(before + 1))
    const verifycode = codeIn(smtp.mails.at(-1)?.text)
    const other = (await ask(server, 'nobody')).caller
    const elsewhere = await Promise.all(Array.from({ length: 5 }, () => activate(server, other, verifycode)))
    expect(elsewhere.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => activate(server, caller, verifycode, `${password} ${index}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 422, 429, 503].includes(status))).toBe(true)
    await server.sql`delete from throttle`
    expect((await activate(server, caller, verifycode)).status).toBe(422)
    // A changed password is announced by mail.
    await eventually(() => expect(smtp.mails).toHaveLength(before + 2))
  }
})

test('a reset request runs the same statements and answers the same for a known and an unknown name', async () => {
  await using w = await resetWorld()
  const { server } = w
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded
  const asked = []
  for (const AuthName of ['anna', 'ann', 'nobody@example.com', 'ann@example.com']) {
    const caller: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
    recorder.start()
    const { status, body, headers, cookies } = await server.as(caller, resetPassword, { AuthName, Captcha: token() }, {}, app)
    const statements = recorder.stop().map(({ text }) => text)
    asked.push({
      status,
      body,
      headers: { ...headers, date: '', 'set-cookie': '' },
      cookies: cookies.map(({ value, ...rest }) => rest),
      statements,
    })
  }
  const [first, ...others] = asked
  expect(first?.statements).toContainEqual(expect.stringContaining('graphile_worker.add_job'))
  expect(first?.status).toBe(200)
  for (const other of others) expect(other).toEqual(first)
})

test('asking for a reset takes as long for an unknown name as for a known one', { timeout: 3_600_000 }, async () => {
  await using w = await resetWorld()
  const { server } = w
  const times: Record<string, number[]> = { ann: [], abe: [] }
  const isShort = rounds(1) === 1
  for (let round = 0; round < (isShort ? 5 : 25 * rounds(1)); round++) {
    for (const AuthName of round % 2 ? ['ann', 'abe'] : ['abe', 'ann']) {
      await server.sql`delete from throttle`
      // So that each known one is sent a mail.
      await server.sql`delete from reset_code`
      const caller: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
      const input = { AuthName, Captcha: token() }
      const start = performance.now()
      const { status } = await server.as(caller, resetPassword, input)
      times[AuthName]?.push(performance.now() - start)
      expect(status).toBe(200)
      await untilDone(server)
    }
  }
  const { ann = [], abe = [] } = times
  const difference = Math.abs(median(ann) / median(abe) - 1)
  console.log(
    `reset-codes: asked for ${ann.length} × a known and an unknown name in turns: medians ${median(ann).toFixed(2)} and ${median(abe).toFixed(2)} ms differ by ${(difference * 100).toFixed(1)} %`,
  )
  expect(w.smtp.mails).toHaveLength(ann.length)
  // The short run shares the machine with other tests; the test before compares the statements instead of the time.
  if (!isShort) expect(difference).toBeLessThan(0.05)
})

test('an unknown name gets the same answer; people who share an address each get a link, disabled ones do not', async () => {
  await using w = await resetWorld()
  const { server, smtp, organization } = w
  const team = { email: 'Team@example.com' }
  const gone = await makeUser(server.db, organization, { login: 'gone', ...team })
  await server.sql`update user_account set disabled = true where id = ${gone}`
  for (let index = 0; index < 6; index++) await makeUser(server.db, organization, team)
  // Whoever has the address as the login name comes first.
  await makeUser(server.db, organization, { login: 'team@example.com', email: 'ben@example.com' })
  const asked = []
  for (const name of ['nobody', 'gone', 'team@EXAMPLE.com']) asked.push(await ask(server, name))
  const answers = asked.map(({ answer }) => answer)
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(new Set(['[200,{"Success":1}]']))
  await eventually(() => expect(smtp.mails).toHaveLength(5))
  const to = smtp.mails.flatMap(mail => mail.to).sort()
  expect(to).toEqual([...Array(4).fill('Team@example.com'), 'ben@example.com'])
  const codes = smtp.mails.map(({ text }) => codeIn(text))
  expect(new Set(codes).size).toBe(5)
  // Each is for one account: in the same browser, the others stay valid.
  for (const code of codes.slice(0, 2)) expect((await activate(server, asked.at(-1)?.caller ?? null, code)).status).toBe(200)
  expect(await server.sql`select 1 from user_account where login <> 'ann' and password_hash is not null`).toHaveLength(2)
})

test('repeated requests from a browser keep its three newest codes valid', async () => {
  await using w = await resetWorld()
  const { server, smtp, ann } = w
  const owner = (await ask(server, 'ann')).caller
  await untilDone(server)
  for (const mails of [2, 3, 4]) {
    // Resets the mail budget, as if a quarter of an hour had passed.
    await server.sql`delete from throttle`
    await ask(server, 'ann', owner)
    await untilDone(server)
    expect(smtp.mails).toHaveLength(mails)
  }
  const live = await server.sql<{ count: number }>`
    select count(*)::int as count from reset_code where user_id = ${ann} and used_at is null`
  expect(live[0]?.count).toBe(3)
  expect((await activate(server, owner, codeIn(smtp.mails[0]?.text))).status).toBe(422)
  expect((await activate(server, owner, codeIn(smtp.mails[1]?.text))).status).toBe(200)
})

test('requests from strangers neither end the owner’s codes nor keep the owner from getting one, in a new browser as in a known one', async () => {
  await using w = await resetWorld()
  const { server, smtp, ann } = w
  const early = (await ask(server, 'ann', undefined, '203.0.113.1')).caller
  await untilDone(server)
  const code = codeIn(smtp.mails[0]?.text)
  // Three per network, with any number of browsers.
  for (let index = 0; index < 5; index++) await ask(server, 'ann', undefined, '198.51.100.1')
  await untilDone(server)
  expect(smtp.mails).toHaveLength(4)
  for (let index = 0; index < 10; index++) await ask(server, 'ann', undefined, `198.18.0.${index}`)
  await untilDone(server)
  const before = smtp.mails.length
  const late = (await ask(server, 'ann', undefined, '203.0.113.2')).caller
  await untilDone(server)
  expect(smtp.mails).toHaveLength(before + 1)
  // A browser the owner has used before is not blocked even by others on the same network.
  const known = (await ask(server, 'nobody')).caller
  await server.sql`insert into known_device (user_id, device_hash) values (${ann}, ${digest(known.cookies.dev as string)})`
  await ask(server, 'ann', known, '198.51.100.1')
  await untilDone(server)
  expect(smtp.mails).toHaveLength(before + 2)
  // Strangers gain nothing from it.
  for (let index = 0; index < 4; index++) await ask(server, 'ann', undefined, '198.51.100.2')
  await untilDone(server)
  expect(smtp.mails).toHaveLength(before + 5)
  expect((await activate(server, early, code)).status).toBe(200)
  // It ended the others, as a reset does.
  expect((await activate(server, late, codeIn(smtp.mails[before]?.text))).status).toBe(422)
})

test('after ten wrong codes a browser’s right one is refused too, and so are more than ten requests for a link', async () => {
  await using w = await resetWorld()
  const { server, smtp } = w
  const { caller } = await ask(server, 'ann')
  await untilDone(server)
  for (let guess = 0; guess < 10; guess++) expect((await activate(server, caller, `guess ${guess}`)).status).toBe(422)
  for (const code of ['guess', codeIn(smtp.mails[0]?.text)]) expect((await activate(server, caller, code)).status).toBe(429)
  const request = async (device?: Caller) => (await ask(server, 'nobody', device, '203.0.113.7')).answer.status
  for (const status of [...Array(10).fill(200), 429, 429]) expect(await request(caller)).toBe(status)
  // Refused ones do not count against the address, which may ask fifty times with any number of browsers.
  const [{ name } = { name: '' }] = addressBuckets('203.0.113.7', 'reset')
  expect(await server.sql`select failures from throttle where bucket = ${name}`).toEqual([{ failures: 10 }])
  await server.sql`update throttle set failures = 49 where bucket = ${name}`
  for (const status of [200, 429]) expect(await request()).toBe(status)
})
