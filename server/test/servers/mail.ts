import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import type { Db } from '../../src/db/db.ts'
import { deliverNextNotice } from '../../src/features/tickets/subscriptions/jobs.ts'
import type { TestServer } from './server.ts'

interface ReceivedMail {
  to: string[]
  /** As it came over the wire. */
  raw: string
  /** The plain text part, decoded. */
  text: string
}

/** A real SMTP server on loopback. `judge` may refuse a recipient for good; `hang`: the server takes each mail and says nothing about it. */
export async function startSmtp(port = 0, judge: (address: string) => 'accept' | 'refuse' | 'hang' = () => 'accept') {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (judge(address) !== 'refuse') return done()
      done(Object.assign(new Error(`5.1.1 <${address}>: no such user`), { responseCode: 550 }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, text: plainText(raw) })
        if (!session.envelope.rcptTo.some(({ address }) => judge(address) === 'hang')) done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const bound = (server.server.address() as AddressInfo).port
  const stop = () => new Promise<void>(resolve => server.close(() => resolve()))
  return { mails, port: bound, url: `smtp://127.0.0.1:${bound}`, stop, [Symbol.asyncDispose]: stop }
}

function plainText(raw: string) {
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)(\r\n--[-_]|$)/.exec(raw)
  const body = part?.[1] ?? ''
  if (/quoted-printable/i.test(part?.[0] ?? '')) {
    const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1').toString('utf8')
  }
  return /base64/i.test(part?.[0] ?? '') ? Buffer.from(body, 'base64').toString('utf8') : body
}

/** Moves every waiting job to now, as if the time had passed. */
export async function makeAllJobsDue(db: Db) {
  await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(db)
  await sql`select pg_notify('jobs:insert', '{"r":0,"count":1}')`.execute(db)
}

/** Turns all changes so far into mails, as if the time of their bursts had passed. */
export async function endBursts({ db, system }: TestServer) {
  await sql`/* all organizations: job */ update ticket_notice set first_change_at = now() - interval '1 day'`.execute(db)
  while (await deliverNextNotice(system));
}

/**
 * Waits until all notices have become mails and all mails have left. On a cluster a notice disappears an instant before its job becomes
 * visible: the lock waits for any transaction that is creating one.
 */
export function allMailsSent(db: Db) {
  return eventually(() =>
    db.transaction().execute(async transaction => {
      const { rows: notices } =
        await sql`/* all organizations: job */ select 1 from ticket_notice union all select 1 from ticket_burst union all select 1 from change_set_notice`.execute(
          transaction,
        )
      await sql`lock table graphile_worker._private_jobs in share mode`.execute(transaction)
      const { rows: jobs } = await sql`select 1 from graphile_worker.jobs`.execute(transaction)
      if (notices.length + jobs.length > 0) throw new Error(`${notices.length} notices and ${jobs.length} jobs wait`)
    }),
  )
}

/** A job on a Citus cluster takes its time. */
const patience = process.env.TESSERA_TEST_DATABASE === 'citus' ? 60_000 : 20_000

/** Waits until the check no longer throws; for effects of another process or a job. */
export async function eventually(check: () => unknown, milliseconds = patience) {
  const end = Date.now() + milliseconds
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
