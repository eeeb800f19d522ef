import { resetPassword } from '@tessera/contract/people/password-reset'
import { confirmEmail } from '@tessera/contract/people/profile'
import { setUserDataAdmin } from '@tessera/contract/people/users'
import { expect, test } from 'vitest'
import { makeUser } from '../../../test/fixtures/factories.ts'
import { databaseDigest } from '../../../test/fixtures/refusals.ts'
import { resetWorld, token, untilDone } from '../../../test/fixtures/worlds/reset-world.ts'
import { signedToken } from '../../mail/signed-link.ts'

async function world() {
  const reset = await resetWorld()
  const { smtp, server, organization, ann } = reset
  const admin = await server.signedIn(await makeUser(server.db, organization, { login: 'admin', admin: true }), organization)
  /** The mails sent until the queue is empty. */
  const mailsOf = async (work: () => Promise<unknown>) => {
    const before = smtp.mails.length
    await work()
    await untilDone(server)
    return smtp.mails
      .slice(before)
      .map(({ to, raw, text }) => ({ to: String(to), subject: /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '', text }))
  }
  return {
    server,
    ann,
    setEmail: (Email: string) =>
      mailsOf(async () => expect((await server.as(admin, setUserDataAdmin, { idUser: ann, Email })).body).toEqual({ Success: 1 })),
    askReset: () =>
      mailsOf(async () => expect((await server.as(null, resetPassword, { AuthName: 'ann', Captcha: token() })).status).toBe(200)),
    confirm: (Token: string) => server.as(null, confirmEmail, { Token }),
    [Symbol.asyncDispose]: () => reset[Symbol.asyncDispose](),
  }
}
const tokenIn = (text = '') => /^http:\/\/tickets\.example\/confirm-email\/(\S+)$/m.exec(text)?.[1] ?? 'no token'
const subjects = (mails: { to: string; subject: string }[]) => mails.map(({ to, subject }) => `${to}: ${subject}`).sort()
const refused = { status: 422, body: { code: 'rule' } }

test('a changed address gets no reset link before it is confirmed; the old address is notified', async () => {
  await using w = await world()
  expect(subjects(await w.askReset())).toEqual(['ann@example.com: Reset your password'])
  await w.server.sql`
    insert into reset_code (code_hash, user_id, device_hash, expires_at)
    select '', id, '', now() + interval '1 hour' from user_account where login = 'admin'`
  const mails = await w.setEmail('eve@example.com')
  expect(await w.server.sql`select login from reset_code join user_account on id = user_id`).toEqual([{ login: 'admin' }])
  expect(subjects(mails)).toEqual(['ann@example.com: Your e-mail address was changed', 'eve@example.com: Confirm your e-mail address'])
  expect(await w.server.sql`select login from user_account where email_changed_at is not null`).toEqual([{ login: 'ann' }])
  expect(await w.askReset()).toEqual([])
  const token = tokenIn(mails.find(({ to }) => to === 'eve@example.com')?.text)
  const before = await databaseDigest(w.server.db)
  expect(await w.confirm(`${token}x`)).toMatchObject(refused)
  expect(await databaseDigest(w.server.db)).toBe(before)
  expect((await w.confirm(token)).body).toEqual({ Success: 1 })
  expect(await w.confirm(token)).toMatchObject(refused)
  expect(subjects(await w.askReset())).toEqual(['eve@example.com: Reset your password'])
})

test('a confirmation link ends with another change and after 72 hours; a reset request then sends a new one', async () => {
  await using w = await world()
  const first = tokenIn((await w.setEmail('one@example.com')).find(({ to }) => to === 'one@example.com')?.text)
  const second = tokenIn((await w.setEmail('two@example.com')).find(({ to }) => to === 'two@example.com')?.text)
  expect(await w.confirm(first)).toMatchObject(refused)
  const age = (hours: number) =>
    w.server.sql`update user_account set email_changed_at = now() - make_interval(hours => ${hours}) where id = ${w.ann}`
  const current = async () => {
    const rows = await w.server.sql<{ at: number }>`
      select (extract(epoch from email_changed_at) * 1000000)::bigint as at from user_account where id = ${w.ann}`
    return signedToken(w.server.system.secret, 'confirm-email', w.ann, rows[0]?.at as number)
  }
  await age(73)
  expect(await w.confirm(second)).toMatchObject(refused)
  expect(await w.confirm(await current())).toMatchObject(refused)
  const again = await w.askReset()
  expect(subjects(again)).toEqual(['two@example.com: Confirm your e-mail address'])
  expect(await w.askReset()).toEqual([])
  expect((await w.confirm(tokenIn(again[0]?.text))).body).toEqual({ Success: 1 })
})
