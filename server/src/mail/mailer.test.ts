import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually, makeAllJobsDue, startSmtp } from '../../test/servers/mail.ts'
import { startServer } from '../../test/servers/server.ts'
import { rounds } from '../../test/torture/tools/product.ts'
import { jobCounts, releaseAbandoned } from '../lib/background/job-queue.ts'
import { inTransaction } from '../lib/transaction.ts'
import { startTasks } from '../tasks.ts'
import { composeMail, mailBodies } from './mail.ts'
import { minutesUntilRetry, queueMail } from './mail-queue.ts'
import { createMailer } from './mailer.ts'

const hello = { to: 'ann@example.com', subject: 'Hello', ...mailBodies({ paragraphs: ['A <b>line</b>'] }) }

test('a mail is sent after the commit, and not if the transaction fails', async () => {
  await using smtp = await startSmtp()
  await using server = await startServer({ SMTP_URL: smtp.url })
  await using _tasks = await running(server)
  await inTransaction(server.db, async db => {
    await queueMail(db, { ...hello, subject: 'Never' })
    throw new Error('rolled back')
  }).catch(() => undefined)
  await inTransaction(server.db, db => queueMail(db, hello))
  await eventually(() => expect(smtp.mails).toHaveLength(1))
  expect(smtp.mails[0]?.raw).toMatch(/^Subject: Hello/m)
  expect(smtp.mails[0]?.raw).toContain('A &#60;b&#62;line')
  // The worker records that the job is done after the mail has left.
  await eventually(async () => expect(await jobCounts(server.db)).toEqual([]))
  expect(smtp.mails).toHaveLength(1)
})

test('mails queued while the mail server is down are each sent once afterwards, by several processes', async () => {
  const count = rounds(5)
  const smtp = await startSmtp()
  await using server = await startServer({ SMTP_URL: smtp.url })
  const second = await server.another()
  await smtp.stop()
  await using _tasks = await running(server)
  await using _others = await running(second)
  for (let number = 1; number <= count; number++) await queueMail(server.db, { ...hello, subject: `Mail ${number}` })
  const waits = sql<{ waits: number }>`select count(*)::int as waits from graphile_worker.jobs where run_at > now() + interval '30 seconds'`
  const timeout = 20_000 + count * 50
  await eventually(async () => expect((await waits.execute(server.db)).rows[0]?.waits).toBe(count), timeout)
  await makeAllJobsDue(server.db)
  await eventually(async () => expect((await waits.execute(server.db)).rows[0]?.waits).toBe(count), timeout)
  const again = await startSmtp(smtp.port)
  await makeAllJobsDue(server.db)
  await eventually(() => expect(again.mails).toHaveLength(count), timeout)
  await eventually(async () => expect(await jobCounts(server.db)).toEqual([]))
  expect(new Set(again.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())).size).toBe(count)
  expect(new Set(again.mails.map(({ raw }) => /^Message-ID:\s*(<.*>)/im.exec(raw)?.[1])).size).toBe(count)
  if (count > 5) console.log(`mails: ${count} queued while the server was away, tried twice in vain, then each sent once by two processes`)
  await again.stop()
})

test('a mail server that goes down in between loses no mail and doubles at most one per broken connection', async () => {
  const count = rounds(40)
  let smtp = await startSmtp()
  await using server = await startServer({ SMTP_URL: smtp.url })
  await using _tasks = await running(server)
  for (let number = 1; number <= count; number++) await queueMail(server.db, { ...hello, subject: `Mail ${number}` })
  const received: string[] = []
  const breaks = 4
  for (let part = 1; part <= breaks; part++) {
    await eventually(
      () => expect(received.length + smtp.mails.length).toBeGreaterThanOrEqual((count * part) / (breaks + 1)),
      20_000 + count * 20,
    )
    await smtp.stop()
    received.push(...smtp.mails.map(({ raw }) => raw))
    smtp = await startSmtp(smtp.port)
    await makeAllJobsDue(server.db)
  }
  await eventually(
    async () => {
      await makeAllJobsDue(server.db)
      expect(await jobCounts(server.db)).toEqual([])
    },
    20_000 + count * 20,
  )
  received.push(...smtp.mails.map(({ raw }) => raw))
  const seen = new Set(received.map(raw => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim()))
  if (count > 40) console.log(`mails: ${count} through a server that went away ${breaks} times: 0 lost, ${received.length - count} doubled`)
  expect(seen.size).toBe(count)
  expect(received.length - count).toBeLessThanOrEqual(breaks * 2)
  await smtp.stop()
})

test('a mail is retried for two days and then kept as failed; an unknown recipient is retried less often', async () => {
  let minutes = 0
  let attempt = 1
  for (let wait = minutesUntilRetry(attempt); wait !== undefined; wait = minutesUntilRetry(++attempt)) minutes += wait
  expect(minutes / 60).toBeGreaterThan(44)
  expect(minutes / 60).toBeLessThanOrEqual(48)

  let refused = 0
  await using smtp = await startSmtp(0, () => {
    refused++
    return 'refuse'
  })
  await using server = await startServer({ SMTP_URL: smtp.url })
  await using _tasks = await running(server)
  await queueMail(server.db, hello)
  await eventually(async () => expect((await jobCounts(server.db))[0]).toMatchObject({ waiting: 1 }))
  await eventually(async () => {
    await makeAllJobsDue(server.db)
    expect(await jobCounts(server.db)).toEqual([{ name: 'send-mail', waiting: 0, failed: 1 }])
  })
  expect(refused).toBe(2)
  // The server's answer is kept, and logged, without the address in it.
  const [job] = await server.sql<{ error: string }>`select last_error as error from graphile_worker.jobs`
  expect(job?.error).toContain('550 5.1.1 <…>: no such user')
  expect(job?.error).not.toContain(hello.to)
})

test('a stop gives up on a mail server that does not answer, and the mail is sent later', { tags: ['long'] }, async () => {
  await using smtp = await startSmtp(0, () => 'hang')
  await using server = await startServer({ SMTP_URL: smtp.url })
  const tasks = await startTasks(server.system, () => undefined)
  await queueMail(server.db, hello)
  await eventually(() => expect(smtp.mails).toHaveLength(1))
  const began = performance.now()
  await tasks.stop()
  // Long before the silence itself ends the connection.
  expect(performance.now() - began).toBeLessThan(20_000)
  // The queue completes the job that ended without waiting for it.
  await eventually(async () => {
    const jobs = await server.sql<{ by: string | null; minutes: number }>`
      select locked_by as by, round(extract(epoch from run_at - now()) / 60)::int as minutes from graphile_worker._private_jobs
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'send-mail')`
    expect(jobs).toEqual([{ by: null, minutes: 1 }])
  })
})

test('the sending of a mail takes a limited time as a whole, and the next mail takes another connection', async () => {
  let isSlow = true
  await using smtp = await startSmtp(0, () => (isSlow ? 'hang' : 'accept'))
  await using server = await startServer({ SMTP_URL: smtp.url })
  const mailer = createMailer(server.system.config, 1500)
  await expect(mailer.send({ ...hello, id: 'slow' })).rejects.toThrow(/abort/i)
  expect(smtp.mails).toHaveLength(1)
  isSlow = false
  await mailer.send({ ...hello, id: 'next' })
  expect(smtp.mails).toHaveLength(2)
  mailer.close()
})

test('a job locked by a killed process is released after its lease', async () => {
  await using server = await startServer()
  await queueMail(server.db, hello)
  const hold = (age: string) =>
    server.sql`update graphile_worker._private_jobs set locked_by = 'worker-dead', locked_at = now() - ${age}::interval`
  const held = async () => (await server.sql<{ held: number }>`select count(locked_by)::int as held from graphile_worker.jobs`)[0]?.held
  await hold('4 minutes')
  await releaseAbandoned(server.db)
  expect(await held()).toBe(1)
  await hold('6 minutes')
  await releaseAbandoned(server.db)
  expect(await held()).toBe(0)
})

test('without a mail server each mail is a file', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'tessera-mail-'))
  await using server = await startServer({ TESSERA_DATA: data })
  await using _tasks = await running(server)
  await queueMail(server.db, hello)
  await eventually(() => expect(readdirSync(path.join(data, 'mail')).filter(name => name.endsWith('.eml'))).toHaveLength(1))
  const [name = ''] = readdirSync(path.join(data, 'mail'))
  expect(readFileSync(path.join(data, 'mail', name), 'utf8')).toMatch(/^To: ann@example.com\r$/m)
  rmSync(data, { recursive: true })
})

test('an address or a subject cannot add a header', () => {
  expect(composeMail({ ...hello, to: 'ann@example.com\r\nBcc: eve@example.com' })).toBeUndefined()
  expect(composeMail({ ...hello, to: 'Ann <ann@example.com>' })).toBeUndefined()
  expect(composeMail({ ...hello, to: '' })).toBeUndefined()
  expect(composeMail({ ...hello, subject: 'One\r\nBcc: eve@example.com\u2028two' })?.subject).toBe('One Bcc: eve@example.com two')
  expect(composeMail({ ...hello, key: 'k' })?.id).toBe(composeMail({ ...hello, key: 'k', to: 'ANN@example.com' })?.id)
})

test('a subject that looks encoded arrives as it is', async () => {
  await using smtp = await startSmtp()
  await using server = await startServer({ SMTP_URL: smtp.url })
  const subject = `[OPS-1] =?utf-8?B?SGFjaw==?= ${'long '.repeat(20)}`.trim()
  await server.system.mailer.send({ ...hello, id: 'x', subject })
  const [, words = ''] = /^Subject: (.*(?:\r\n .*)*)/m.exec(smtp.mails[0]?.raw ?? '') ?? []
  const decoded = words.split(/\s+/).map(word => Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)?.[1] ?? '', 'base64').toString())
  expect(decoded.join('')).toBe(subject)
})

test('a value from right to left stays before the arrow', () => {
  const changes = [
    { label: 'Title', before: 'גלגל', after: 'ציר' },
    { label: 'Note', before: 'Wheel', after: 'عجلة' },
  ]
  const { text, html } = mailBodies({ paragraphs: [], changes })
  for (const body of [text, html]) {
    expect(body).toContain('\u2068גלגל\u2069 → \u2068ציר\u2069')
    expect(body).toContain('Wheel → \u2068عجلة\u2069')
  }
})

test('long values and subjects are cut, but not within a character', () => {
  const noteOf = (after: string) => mailBodies({ paragraphs: [], changes: [{ label: 'Note', before: null, after }] }).text
  expect(noteOf('x'.repeat(2000))).toBe(`Note: ${'x'.repeat(2000)}\n`)
  expect(noteOf(`${'x'.repeat(1999)}🦊`)).toBe(`Note: ${'x'.repeat(1999)}…\n`)
  expect(composeMail({ ...hello, subject: `${'x'.repeat(199)}🦊` })?.subject).toBe('x'.repeat(199))
})

async function running(server: Pick<Awaited<ReturnType<typeof startServer>>, 'system'>) {
  const tasks = await startTasks(server.system, () => undefined)
  return { [Symbol.asyncDispose]: () => tasks.stop() }
}

test('a mail leaves its colors to the mail program, whose ground may be dark', () => {
  const link = { label: 'Stop', url: 'https://example.com' }
  const { html } = mailBodies({
    paragraphs: ['Hello'],
    changes: [{ label: 'State', before: 'Open', after: 'Done' }],
    foot: 'Why',
    footLink: link,
  })
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).not.toMatch(/[\s";{](color|background(-color)?):/)
})
