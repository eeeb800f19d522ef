import { resetPassword } from '@tessera/contract/people/password-reset'
import { authenticate } from '@tessera/contract/people/session'
import { createUser, setUserDataAdmin } from '@tessera/contract/people/users'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject, makeTicket, makeUser } from '../../../test/fixtures/factories.ts'
import { databaseDigest } from '../../../test/fixtures/refusals.ts'
import { activate, ask, codeIn, earlier, password, resetWorld, token, untilDone } from '../../../test/fixtures/worlds/reset-world.ts'
import { solveCaptcha } from '../../../test/servers/captcha.ts'
import { eventually, makeAllJobsDue, startSmtp } from '../../../test/servers/mail.ts'
import { type Caller, startServer } from '../../../test/servers/server.ts'
import { anyDevice, digest } from '../../http/session-cookie.ts'
import { addJob, addJobs, type JobLog } from '../../lib/background/job-queue.ts'
import { composeMail } from '../../mail/mail.ts'
import { startTasks } from '../../tasks.ts'

test('a reset mail waits for the mail server; its link is created when it is sent, and given up when it would be too old', async () => {
  await using w = await resetWorld()
  const { server, smtp, ann } = w
  await smtp.stop()
  const { caller } = await ask(server, 'ann')
  await eventually(async () => {
    const rows = await server.sql`select 1 from graphile_worker.jobs where task_identifier = 'reset-mail' and last_error is not null`
    expect(rows).toHaveLength(1)
  })
  expect(await server.sql`select 1 from reset_code where user_id = ${ann}`).toEqual([])
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await eventually(() => expect(again.mails).toHaveLength(1))
  expect((await activate(server, caller, codeIn(again.mails[0]?.text))).status).toBe(200)
  await again.stop()
})

test('without a valid captcha, name or token no reset is requested', async () => {
  await using w = await resetWorld()
  const { server, provider } = w
  const stranger: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
  provider.behavior = { success: false }
  expect(await server.as(stranger, resetPassword, { AuthName: 'ann', Captcha: token() })).toMatchObject({
    status: 400,
    body: { code: 'captcha' },
  })
  expect(await activate(server, stranger, 'code')).toMatchObject({ status: 400, body: { code: 'captcha' } })
  provider.behavior = 500
  expect(await server.as(stranger, resetPassword, { AuthName: 'ann', Captcha: token() })).toMatchObject({
    status: 400,
    body: { code: 'captcha' },
  })
  const before = await databaseDigest(server.db)
  for (const [body, path] of [
    [{ AuthName: ' ', Captcha: 'x' }, 'AuthName'],
    [{ AuthName: 'ann', Captcha: '' }, 'Captcha'],
    [{ AuthName: 'ann' }, 'Captcha'],
  ] as const) {
    expect(await server.as(stranger, resetPassword, body)).toMatchObject({ status: 400, body: { fields: [{ path }] } })
  }
  expect(await server.as({ ...stranger, headers: {} }, resetPassword, { AuthName: 'ann', Captcha: 'x' })).toMatchObject({
    status: 400,
    body: { code: 'csrf' },
  })
  expect(await databaseDigest(server.db)).toBe(before)
  expect(await server.sql`select 1 from graphile_worker.jobs`).toEqual([])
})

test('an operator’s code works in any browser and marks only the browser that used it as known', async () => {
  await using w = await resetWorld()
  const { server, ann } = w
  const code = 'c'.repeat(43)
  await server.sql`
    insert into reset_code (code_hash, user_id, device_hash, expires_at) values (${digest(code)}, ${ann}, ${anyDevice}, now() + interval '1 minute')`
  const caller: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
  expect(caller.cookies.dev).toBeUndefined()
  const answer = await activate(server, caller, code)
  expect(answer.status).toBe(200)
  for (const { name, value } of answer.cookies) caller.cookies[name] = value
  for (let guess = 0; guess < 10; guess++) await server.as(null, authenticate, { user: 'ann', pass: 'guess' })
  expect((await server.as(null, authenticate, { user: 'ann', pass: password })).status).toBe(429)
  expect((await server.as(caller, authenticate, { user: 'ann', pass: password })).body).toMatchObject({ auth: 1 })
})

test('the built-in captcha works for the reset too', async () => {
  await using server = await startServer()
  const caller: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
  const Captcha = await solveCaptcha(server)
  expect(await server.as(caller, resetPassword, { AuthName: 'ann', Captcha })).toMatchObject({ status: 200 })
  expect(await server.as(caller, resetPassword, { AuthName: 'ann', Captcha })).toMatchObject({ status: 400, body: { code: 'captcha' } })
})

test('the link of a welcome mail chooses the first password, once, within 72 hours, in any browser', async () => {
  await using w = await resetWorld()
  const { server, smtp, organization } = w
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  const welcome = async (LoginName: string) => {
    const person = { LoginName, Email: 'bob@example.com', Greet: 'Bobby', SendWelcome: 1, ProjectAssign: [] }
    const { idUser } = (await server.as(admin, createUser, person)).body
    await untilDone(server)
    const mail = smtp.mails.findLast(({ raw }) => raw.includes('Subject: Welcome to Acme'))
    const [, code = 'none', name = ''] =
      /^http:\/\/tickets\.example\/reset-password-verify\/([\w-]{43})#(\S+)$/m.exec(mail?.text ?? '') ?? []
    return { idUser, mail, code, name }
  }
  const first = await welcome('боб')
  expect(first.mail).toMatchObject({ to: ['bob@example.com'], text: expect.stringContaining('Hello Bobby,') })
  expect(decodeURIComponent(first.name)).toBe('боб')
  const browser: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
  expect((await activate(server, browser, first.code)).status).toBe(200)
  expect((await server.as(null, authenticate, { user: 'боб', pass: password })).body).toMatchObject({ auth: 1 })
  expect((await activate(server, browser, first.code, 'another good phrase')).status).toBe(422)

  const age = (by: string) => server.sql`update reset_code set expires_at = ${earlier('expires_at', by)} where used_at is null`
  const late = await welcome('late')
  await age('72 hours 1 second')
  expect((await activate(server, browser, late.code)).status).toBe(422)
  await age('-30 seconds')
  expect((await activate(server, browser, late.code)).status).toBe(200)

  // A mistyped address: its link is void once the address is corrected.
  const moved = await welcome('moved')
  expect((await server.as(admin, setUserDataAdmin, { idUser: moved.idUser, Email: 'right@example.com' })).status).toBe(200)
  expect((await activate(server, browser, moved.code)).status).toBe(422)
})

test('a welcome mail that cannot be sent leaves no code behind and is sent later, unless there is a password, another address or no account by then', async () => {
  await using w = await resetWorld()
  const { server, smtp, organization } = w
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  await smtp.stop()
  const people = []
  for (const LoginName of ['waits', 'quick', 'moved', 'gone']) {
    const person = { LoginName, Email: `${LoginName}@example.com`, SendWelcome: 1, ProjectAssign: [] }
    people.push((await server.as(admin, createUser, person)).body.idUser)
  }
  await eventually(async () => {
    const rows = await server.sql`select 1 from graphile_worker.jobs where task_identifier = 'welcome-mail' and last_error is not null`
    expect(rows).toHaveLength(4)
    expect(await server.sql`select 1 from reset_code`).toEqual([])
  })
  await server.sql`update user_account set password_hash = 'x' where id = ${people[1]}`
  await server.sql`update user_account set email_changed_at = now() where id = ${people[2]}`
  await server.sql`update user_account set disabled = true where id = ${people[3]}`
  // Nor does one that was asked for before leave for a deactivated account.
  await addJob(server.db, 'reset-mail', { userId: people[3] as number, device: '', givenUpAt: Date.now() + 60_000 })
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await untilDone(server)
  expect(again.mails.map(({ to }) => to)).toEqual([['waits@example.com']])
  await again.stop()
})

test('a welcome mail to an address that the mail server does not know is tried once, and the log says so without the address', async () => {
  await using smtp = await startSmtp(0, () => 'refuse')
  await using server = await startServer({ SMTP_URL: smtp.url })
  const organization = await makeOrganization(server.db)
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  const person = { LoginName: 'gone', Email: 'gone@example.com', SendWelcome: 1, ProjectAssign: [] } as const
  const { idUser } = (await server.as(admin, createUser, person)).body
  const lines: [{ err: Error; userId: number }, string][] = []
  const log = { info: () => undefined, error: (...line: (typeof lines)[number]) => void lines.push(line) } as unknown as JobLog
  const tasks = await startTasks(server.system, error => expect.fail(String(error)), log)
  await untilDone(server)
  await tasks.stop()
  expect(lines).toMatchObject([[{ userId: idUser }, expect.stringContaining('is not tried again')]])
  const [{ err }] = lines[0] as (typeof lines)[number]
  expect(err.message).toContain('550 5.1.1 <…>')
  expect(`${err.message} ${err.stack}`).not.toContain('gone@')
})

test('a reset mail does not wait for notifications that were queued before it', async () => {
  await using smtp = await startSmtp()
  await using server = await startServer({ SMTP_URL: smtp.url })
  const organizationId = await makeOrganization(server.db)
  const project = await makeProject(server.db, organizationId)
  const ticketId = await makeTicket(server.db, organizationId, project)
  const userId = await makeUser(server.db, organizationId, { admin: true })
  await server.sql`insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organizationId}, ${ticketId}, ${userId}, true)`
  const about = { organizationId, projectId: project.projectId, ticketId, userId }
  const count = 60
  const notifications = Array.from({ length: count }, (_, key) => {
    const mail = composeMail({ key: `${key}`, to: 'ann@example.com', subject: 'A ticket', text: '', html: '' })
    return [`${key}`, { mail: mail as NonNullable<typeof mail>, attempt: 1, about }] as const
  })
  await addJobs(server.db, 'send-notification', notifications)
  await addJob(server.db, 'reset-mail', { userId, device: digest('device').toString('hex'), givenUpAt: Date.now() + 600_000 })
  const tasks = await startTasks(server.system, () => undefined)
  await eventually(() => expect(smtp.mails).toHaveLength(count + 1))
  await tasks.stop()
  const place = smtp.mails.findIndex(({ raw }) => raw.includes('Subject: Reset your password'))
  expect(place).toBeGreaterThanOrEqual(0)
  expect(place).toBeLessThan(count / 2)
})
