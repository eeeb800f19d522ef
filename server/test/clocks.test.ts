import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { resetPassword, resetPasswordActivate } from '@tessera/contract/people/password-reset'
import { getUserData } from '@tessera/contract/people/profile'
import { authenticate, connstate } from '@tessera/contract/people/session'
import type { Challenge } from 'altcha-lib'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { hashPassword } from '../src/lib/passwords/passwords.ts'
import { makeOrganization, makeUser } from './fixtures/factories.ts'
import { solve } from './servers/captcha.ts'
import { eventually, startSmtp } from './servers/mail.ts'
import { addressOf, startProcess } from './servers/process.ts'
import { startServer, unguarded } from './servers/server.ts'
import { type Browser, browser } from './torture/tools/product.ts'

const pass = 'correct horse battery'
const shifts = [0, 3, -3]

// Starts three servers, one after the other.
vi.setConfig({ testTimeout: 120_000 })

test('nodes whose clocks are three hours ahead and behind agree on sessions, throttles, captchas and reset codes', {
  tags: ['long'],
}, async () => {
  await using server = await startServer()
  await using smtp = await startSmtp()
  await using stack = new AsyncDisposableStack()
  const start = async (hours: number) => {
    const node = stack.use(
      startProcess({
        DATABASE_URL: addressOf(server),
        TESSERA_DATA: server.system.config.data,
        SMTP_URL: smtp.url,
        LOG_LEVEL: 'error',
        NODE_OPTIONS: `--import=${fileURLToPath(new URL('servers/shifted-clock.ts', import.meta.url))}`,
        CLOCK_SHIFT_HOURS: String(hours),
      }),
    )
    return node.ready()
  }
  const nodes: string[] = []
  for (const hours of shifts) nodes.push(await start(hours))
  await using db = unguarded(server.db)
  const [right = '', , behind = ''] = nodes
  let where = right
  const at = (address: string) => {
    where = address
  }
  const organization = await makeOrganization(db)
  const passwordHash = await hashPassword(pass)
  const login = `ann-${randomUUID()}`
  const ann = await makeUser(db, organization, { login, passwordHash })
  const person = browser(() => where)
  const statuses = async (who: Browser) => {
    const heard: number[] = []
    for (const node of nodes) {
      at(node)
      heard.push((await who.post(getUserData, {})).status)
    }
    return heard
  }

  // Sessions: begun on any, alive on all; the limits are those of the database.
  for (const node of nodes) {
    at(node)
    await person.signIn(login, pass)
    expect(await statuses(person)).toEqual([200, 200, 200])
  }
  const { rows: times } = await sql<{ recent: boolean }>`
    select created_at between now() - interval '5 minutes' and now() and last_seen_at between now() - interval '5 minutes' and now() as recent
    from session where user_id = ${ann}`.execute(db)
  expect(times.map(({ recent }) => recent)).toEqual(times.map(() => true))
  const live = sql`user_id = ${ann} and ended_at is null`
  await sql`update session set last_seen_at = now() - interval '59 minutes' where ${live}`.execute(db)
  expect(await statuses(person)).toEqual([200, 200, 200])
  await sql`update session set last_seen_at = now() - interval '61 minutes' where ${live}`.execute(db)
  expect(await statuses(person)).toEqual([403, 403, 403])
  at(behind)
  await person.signIn(login, pass)
  await sql`update session set created_at = now() - interval '12 hours 1 minute', last_seen_at = now() where ${live}`.execute(db)
  expect(await statuses(person)).toEqual([403, 403, 403])

  // Throttles: ten failures on one close the account for strangers on all, for a quarter of an hour.
  for (const node of nodes.slice(1)) {
    await sql`delete from throttle`.execute(db)
    const stranger = browser(() => where)
    at(node)
    await stranger.send(connstate.path)
    for (let guess = 0; guess < 10; guess++) await stranger.post(authenticate, { user: login, pass: `guess ${guess}` })
    for (const other of nodes) {
      at(other)
      const { status, retryAfter } = await stranger.post(authenticate, { user: login, pass })
      expect(status).toBe(429)
      expect(Number(retryAfter)).toBeGreaterThan(13 * 60)
      expect(Number(retryAfter)).toBeLessThanOrEqual(15 * 60)
    }
    await sql`update throttle set blocked_until = now() - interval '1 second'`.execute(db)
    for (const other of nodes) {
      at(other)
      expect((await stranger.post(authenticate, { user: login, pass })).body).toMatchObject({ auth: 1 })
    }
  }

  // Resets: the captcha of one, the request to another, the mail from whichever takes it, the code to the third.
  for (const [index, node] of nodes.entries()) {
    const name = `reset-${index}`
    await makeUser(db, organization, { login: name, email: `${name}@example.com`, passwordHash })
    const next = (step: number) => nodes[(index + step) % nodes.length] as string
    const who = browser(() => where)
    const captcha = async (from: string) => {
      at(from)
      const { body } = await who.send('/captcha/challenge')
      return solve(body as Challenge)
    }
    at(node)
    await who.send(connstate.path)
    const Captcha = await captcha(next(1))
    at(next(0))
    expect((await who.post(resetPassword, { AuthName: name, Captcha })).status).toBe(200)
    const mail = await eventually(() => {
      const found = smtp.mails.find(({ to }) => to[0] === `${name}@example.com`)
      expect(found, `the mail to ${name}`).toBeDefined()
      return found
    })
    const verifycode = /reset-password-verify\/([\w-]{43})/.exec((mail as { text: string }).text)?.[1] ?? ''
    const again = await captcha(next(0))
    at(next(2))
    expect((await who.post(resetPasswordActivate, { password: 'battery and staple', captcha: again, verifycode })).status).toBe(200)
  }
})
