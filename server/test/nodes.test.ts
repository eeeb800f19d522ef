import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { createNewTicket, getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { connect } from '../src/db/connections/connect.ts'
import { isOwnStorage } from '../src/storage/belonging.ts'
import { lockWaits } from './postgres/lock-waits.ts'
import { startTcpCluster } from './postgres/tcp-cluster.ts'
import { openStream } from './servers/event-stream.ts'
import { addressOf, startProcess, temporaryDirectory } from './servers/process.ts'
import { isInstalled, startHaproxy, startPgbouncer } from './servers/proxies.ts'
import { startServer, unguarded } from './servers/server.ts'
import { auditor } from './torture/tools/audit.ts'
import { startLoad } from './torture/tools/load.ts'
import { type Browser, hire } from './torture/tools/product.ts'

const quiet = { LOG_LEVEL: 'error', TESSERA_NOTIFICATION_SECONDS: '3600' }

test.skipIf(!isInstalled('haproxy'))(
  'two nodes behind haproxy, without stickiness: one session, live updates, nothing lost when a node is killed (needs haproxy)',
  async () => {
    using place = temporaryDirectory()
    await using cluster = await startTcpCluster()
    const settings = { ...quiet, DATABASE_URL: cluster.url, TESSERA_DATA: place.folder, TRUST_PROXY: '1' }
    await using first = startProcess(settings)
    const a = await first.ready()
    await using second = startProcess(settings)
    const b = await second.ready()
    await using proxy = await startHaproxy([a, b])
    const connection = { connectionString: cluster.url }
    let where = a
    const staff = await hire(() => where, connection, 3)
    const [person] = staff.people as [Browser]

    // Signed in on one node, valid on the other.
    where = b
    expect((await person.send(connstate.path)).body).toMatchObject({ auth: 1 })
    const { projectId, templates } = staff.project
    const made = await person.post(createNewTicket, { idProject: projectId, idTemplate: templates.bug, Title: 'Made on b' })
    where = a
    expect((await person.post(queryTickets, { idProject: projectId })).body).toMatchObject({ Total: 1, Tickets: [{ Title: 'Made on b' }] })
    expect(made.status).toBe(200)

    // Requests take turns, so that each of the next four is told of from either node.
    where = proxy.url
    const page = await openStream(proxy.url, person.headers())
    for (let number = 0; number < 4; number++) {
      await person.post(createNewTicket, { idProject: projectId, idTemplate: templates.bug, Title: `Turn ${number}` })
      const before = number + 1
      await vi.waitFor(() => expect(page.changes().length).toBeGreaterThanOrEqual(before), 30_000)
    }
    page.close()

    // Wrong passwords count for the address that the proxy has seen, here loopback, whatever the client says.
    const guess = (from: string) => person.post(authenticate, { user: 'nobody', pass: 'wrong' }, { 'x-forwarded-for': from })
    await guess('198.51.100.1')
    where = a
    await guess('192.0.2.1')
    const db = connect(connection, { poolSize: 1 })
    const { rows: counted } = await sql`select bucket from throttle where bucket like 'address:%'`.execute(db)
    await db.destroy()
    expect(counted).toEqual([{ bucket: 'address:sign-in:192.0.2.1' }])
    where = proxy.url

    const load = await startLoad(staff, { goesOnAfterErrors: true })
    const audit = auditor(staff, load, place.folder, () => connection)
    const finish = load.begin()
    await load.untilAcknowledged(40)
    second.child.kill('SIGKILL')
    await second.finished
    await load.untilAcknowledged(40)
    await finish()
    expect(await audit.lost(true)).toEqual([])
    expect(await audit.torn()).toEqual([])

    // A node with another disk would report attachments as missing: it does not become ready.
    const elsewhere = path.join(place.folder, 'elsewhere')
    mkdirSync(elsewhere)
    await using third = startProcess({ ...settings, TESSERA_DATA: elsewhere })
    const address = await third.ready()
    const ready = () => fetch(`${address}/readyz`)
    await expect.poll(async () => (await ready()).json()).toMatchObject({ storage: 'another one', database: 'ok' })
    expect((await ready()).status).toBe(503)
  },
  120_000,
)

test('nodes that start together make the first super user once', async () => {
  await using server = await startServer()
  const settings = { ...quiet, DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data }
  const named = { ...settings, TESSERA_ADMIN_PASSWORD: 'correct horse battery' }
  // Otherwise the starts would wait here, to claim the storage, and not where they make the user.
  expect(await isOwnStorage(server.db, server.system.storage)).toBe(true)
  // No time limit: on a busy machine two starts take longer than a transaction may be idle.
  await using holder = unguarded(server.db)
  const nodes = await holder.transaction().execute(async transaction => {
    await sql`select 1 from installation for update`.execute(transaction)
    // With two logins, no unique index refuses the second user.
    const started = ['root', 'boss'].map(login => startProcess({ ...named, TESSERA_ADMIN_LOGIN: login }))
    await expect.poll(() => lockWaits(server.db), { timeout: 60_000 }).toBe(2)
    return started
  })
  await using _a = nodes[0] as NonNullable<(typeof nodes)[0]>
  await using _b = nodes[1] as NonNullable<(typeof nodes)[0]>
  await Promise.all(nodes.map(node => node.ready()))
  expect(nodes.filter(({ output }) => output.includes('Created the super user'))).toHaveLength(1)
}, 120_000)

test.skipIf(!isInstalled('pgbouncer'))(
  'behind a PgBouncer that pools transactions: calls, live updates, jobs and migrations (needs pgbouncer)',
  async () => {
    using place = temporaryDirectory()
    await using cluster = await startTcpCluster()
    await using pooler = await startPgbouncer(cluster.url)
    const alone = await startProcess({ ...quiet, DATABASE_URL: pooler.url, DATABASE_PREPARE: '0', TESSERA_DATA: place.folder }).finished
    expect([alone.code, alone.output]).toEqual([
      1,
      expect.stringMatching(/^DATABASE_URL: a PgBouncer answers at .*: set DATABASE_DIRECT_URL .*\n$/),
    ])
    await using node = startProcess({
      ...quiet,
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: cluster.url,
      DATABASE_PREPARE: '0',
      TESSERA_DATA: place.folder,
    })
    const address = await node.ready()
    const settings = 'idle_in_transaction_session_timeout, jit, lock_timeout, random_page_cost, statement_timeout'
    expect(node.output).toContain(`its database user has no value of its own for ${settings}: set it with alter role`)
    const connection = { connectionString: cluster.url }
    const staff = await hire(() => address, connection, 4)
    const [person] = staff.people as [Browser]
    const page = await openStream(address, person.headers())
    const load = await startLoad(staff)
    const audit = auditor(staff, load, place.folder, () => connection)
    const finish = load.begin()
    await load.untilAcknowledged(80)
    await finish()
    expect(load.refused).toEqual([])
    expect(await audit.lost(true)).toEqual([])
    expect(await audit.torn()).toEqual([])
    const saved = load.acknowledged.find(each => each.kind === 'save')
    if (saved?.kind !== 'save') throw new Error('no save among eighty writes')
    expect((await person.post(getTicketData, { idTicket: saved.idTicket })).status).toBe(200)
    await vi.waitFor(() => expect(page.changes()).toContainEqual(expect.objectContaining({ idTicket: saved.idTicket })), 30_000)
    page.close()

    // The welcome mails are jobs: they are sent over direct connections.
    const db = connect(connection, { poolSize: 1 })
    await vi.waitFor(async () => {
      const { rows } = await sql`select 1 from graphile_worker._private_jobs`.execute(db)
      expect(rows).toEqual([])
    }, 20_000)
    const { rows: pooled } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and query ilike 'listen%'`.execute(db)
    expect(pooled[0]?.count).toBeGreaterThan(0)
    await db.destroy()
  },
  120_000,
)

test('lists are read from a replica, but not right after a save or an event, nor before the replica has caught up', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  using place = temporaryDirectory()
  await using cluster = await startTcpCluster()
  const primary = connect({ connectionString: cluster.url })
  await using away = new AsyncDisposableStack()
  away.defer(() => primary.destroy())
  const settings = { ...quiet, DATABASE_URL: cluster.url, TESSERA_DATA: place.folder }
  await using first = startProcess(settings)
  const a = await first.ready()
  await using standby = await cluster.replicate()
  const replica = connect({ connectionString: standby.url })
  away.defer(() => replica.destroy())
  await using second = startProcess({ ...settings, DATABASE_REPLICA_URL: standby.url })
  const b = await second.ready()

  let where = a
  const staff = await hire(() => where, { connectionString: cluster.url }, 2)
  const [ann, ben] = staff.people as [Browser, Browser]
  const { projectId: idProject, templates } = staff.project
  const make = (who: Browser, Title: string) => who.post(createNewTicket, { idProject, idTemplate: templates.bug, Title })
  const titles = async (who: Browser) => {
    const { body } = await who.post(queryTickets, { idProject })
    return (body as { Tickets: { Title: string }[] }).Tickets.map(({ Title }) => Title)
  }
  const metric = async (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${b}/metrics`)).text())?.[1])
  const answered = () => metric('tessera_replica_answers_total')
  await make(ann, 'Seen')

  // Without writes the replica answers.
  where = b
  await vi.waitFor(
    async () => {
      const before = await answered()
      expect(await titles(ben)).toEqual(['Seen'])
      expect(await answered()).toBe(before + 1)
    },
    { timeout: 30_000, interval: 300 },
  )

  // The replica stops replaying: Ann and Ben see what Ann saves on this node, and everybody sees what is saved on the other node.
  await sql`select pg_wal_replay_pause()`.execute(replica)
  await make(ann, 'Mine')
  expect(await titles(ann)).toEqual(['Mine', 'Seen'])
  expect(await titles(ben)).toEqual(['Mine', 'Seen'])
  where = a
  await make(ann, 'Elsewhere')
  where = b
  expect(await titles(ann)).toEqual(['Elsewhere', 'Mine', 'Seen'])
  await vi.waitFor(async () => expect(await metric('tessera_replicas_fresh')).toBe(0), 30_000)
  const still = await answered()
  await new Promise(done => setTimeout(done, 2500))
  expect(await titles(ben)).toEqual(['Elsewhere', 'Mine', 'Seen'])
  expect(await answered()).toBe(still)

  // It continues: it answers again, and rights are still those of the primary.
  await sql`select pg_wal_replay_resume()`.execute(replica)
  await vi.waitFor(
    async () => {
      const before = await answered()
      expect(await titles(ben)).toEqual(['Elsewhere', 'Mine', 'Seen'])
      expect(await answered()).toBe(before + 1)
    },
    { timeout: 30_000, interval: 300 },
  )
  const { body: ids } = await ben.send(connstate.path)
  await sql`update session set ended_at = now() where user_id = ${(ids as { idUser: number }).idUser}`.execute(primary)
  expect((await ben.post(queryTickets, { idProject })).status).toBe(403)

  // It disappears: the primary answers.
  await standby[Symbol.asyncDispose]()
  expect(await titles(ann)).toEqual(['Elsewhere', 'Mine', 'Seen'])
  expect(second.child.exitCode).toBe(null)
})
