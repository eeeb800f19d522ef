import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createNewTicket, getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { connect } from '../../../src/db/connections/connect.ts'
import type { Connection } from '../../../src/db/embedded/connection.ts'
import { migrate, migrationNames } from '../../../src/db/schema/migrate.ts'
import { sqlState } from '../../../src/db/sql-state.ts'
import { addNode, createCitusDatabase, distribute } from '../../postgres/citus.ts'
import { createDatabase, dropDatabase, runOn } from '../../postgres/databases.ts'
import { tessera } from '../../servers/command.ts'
import { openStream } from '../../servers/event-stream.ts'
import { startProcess, temporaryDirectory } from '../../servers/process.ts'
import { auditor } from '../tools/audit.ts'
import { contentsOf, fillOrganizations, portOf } from '../tools/filled-cluster.ts'
import { type Load, startLoad } from '../tools/load.ts'
import { type Browser, browser, hire } from '../tools/product.ts'
import { citusIfAsked } from './asked.ts'
import { future, lastBefore, ownMigrations, schemaOf } from './upgrades.ts'

// The whole life of an installation on a Citus cluster, with `npm run torture:citus`; server/test/citus.test.ts is its short version.

const citus = citusIfAsked('citus')
afterAll(() => citus?.stop())

const began = performance.now()
const say = (text: string) => console.log(`citus ${Math.round((performance.now() - began) / 1000)} s: ${text}`)

test.skipIf(!citus)(
  'an installation is distributed, upgraded, used, grown, upgraded again, backed up and restored on a cluster',
  {
    timeout: 3_600_000,
  },
  async () => {
    if (!citus) return
    const [coordinator, firstWorker, secondWorker] = citus.servers as [Connection, Connection, Connection]
    const name = `tessera_${randomUUID().replaceAll('-', '').slice(0, 12)}`
    using place = temporaryDirectory()
    const on = (server: Connection, database = name) => `postgres://${server.user}@${server.host}:${server.port}/${database}`
    const settings = {
      TESSERA_DATA: place.folder,
      DATABASE_URL: on(coordinator),
      LOG_LEVEL: 'error',
      TESSERA_NOTIFICATION_SECONDS: '3600',
    }
    const connection = { ...coordinator, database: name }
    await using cleanUp = new AsyncDisposableStack()
    cleanUp.defer(() => dropDatabase(citus.servers, name))
    // What the dead worker had prepared; Citus itself finishes it once a minute.
    cleanUp.defer(() => runOn(connection, ['select recover_prepared_transactions()']))
    await createCitusDatabase([coordinator, firstWorker], name, 4)
    const db = connect(connection, { poolSize: 2, noTimeLimits: true })
    cleanUp.defer(() => db.destroy())
    const succeeds = async (...args: string[]) => {
      const { code, output } = await tessera(settings, ...args)
      expect(code, output).toBe(0)
      return output.trim()
    }

    // ── Filled, then distributed ──
    // With an older schema, so that the later migrations run on a distributed database.
    await migrate(db, { only: (await migrationNames()).filter(name => name <= lastBefore) })
    const organizations = await fillOrganizations(db, 50, 200)
    await sql`insert into board_rank (organization_id, project_id, ticket_id, rank)
      select organization_id, project_id, id, -id - 1.5 from ticket where id % 100 = 7`.execute(db)
    const before = await contentsOf(connection)
    let started = performance.now()
    await distribute(db)
    say(`distributed ${before.ticket} of 50 organizations in ${seconds(started)} with ${Object.keys(before).length} tables, on one worker`)
    expect(await contentsOf(connection)).toEqual(before)
    started = performance.now()
    const applied = await succeeds('migrate')
    const { rows: ranked } = await sql<{ count: number }>`
      select count(*)::int as count from ticket where rank = -id - 1.5 and id % 100 = 7`.execute(db)
    expect(ranked).toEqual([{ count: 100 }])
    say(`${applied} In ${seconds(started)}, on a distributed database`)
    const upgraded = await schemaOf(citus.servers.slice(0, 2), name)
    say(`doctor: ${(await succeeds('doctor')).split('\n').at(-1)}`)
    const worker = await tessera({ ...settings, DATABASE_URL: on(firstWorker) }, 'doctor')
    expect(worker).toMatchObject({ code: 1, output: expect.stringContaining('is a worker of a Citus cluster') })

    // ── Two nodes, load in three organizations, live updates ──
    await using first = startProcess(settings)
    await using second = startProcess({ ...settings, DATABASE_REPLICA_URL: on(firstWorker) })
    const addresses = [await first.ready(), await second.ready()] as const
    let turn = 0
    const address = () => addresses[turn++ % 2] as string
    const staffs = [await hire(address, connection, 2), await hire(address, connection, 2), await hire(address, connection, 2)]
    const loads: Load[] = []
    for (const staff of staffs) loads.push(await startLoad(staff, { goesOnAfterErrors: true }))
    const audits = staffs.map((staff, index) => auditor(staff, loads[index] as Load, place.folder, () => connection))
    const acknowledged = () => loads.reduce((sum, load) => sum + load.acknowledged.length, 0)
    const refusedNow = () => loads.flatMap(load => load.refused)
    /** Nothing acknowledged is lost or torn, and whatever was refused may be tried again. */
    const intact = async (all = false) => {
      const logs = [first, second].map(({ output }) => output.slice(-4000)).join('\n')
      expect(
        refusedNow().filter(({ status }) => status !== 503),
        logs,
      ).toEqual([])
      for (const audit of audits) {
        expect(await audit.lost(all)).toEqual([])
        expect(await audit.torn()).toEqual([])
      }
    }
    const listener = staffs[0]?.people[0] as Browser
    const page = await openStream(addresses[1], listener.headers())
    let end = loads.map(load => load.begin())
    const use = async (writes: number) => {
      for (const load of loads) await load.untilAcknowledged(writes, 60_000)
    }
    await use(40)
    expect(page.changes().length).toBeGreaterThan(0)
    page.close()
    expect(refusedNow()).toEqual([])
    say(`two nodes: ${acknowledged()} writes of three organizations acknowledged, ${refusedNow().length} refused, live updates arrive`)

    // A worker answers the lists of a project that nobody changes.
    const quiet = organizations[1] as (typeof organizations)[number]
    const reader = browser(() => addresses[1])
    await reader.signIn(quiet.login, 'correct horse battery')
    // Not within two seconds of the sign-in, nor while the worker answers too late: then the coordinator does.
    await vi.waitFor(
      async () => {
        expect((await reader.post(queryTickets, { idProject: quiet.projectId })).body).toMatchObject({ Total: 140 })
        expect(await (await fetch(`${addresses[1]}/metrics`)).text()).toMatch(/^tessera_replica_answers_total [1-9]/m)
      },
      { timeout: 60_000, interval: 200 },
    )

    // ── Growing by a worker under load ──
    await createDatabase([secondWorker], name)
    await runOn({ ...secondWorker, database: name }, ['create extension citus'])
    started = performance.now()
    let seen = refusedNow().length
    let slowest = 0
    const longest = () =>
      Math.max(
        0,
        ...refusedNow()
          .slice(seen)
          .map(({ milliseconds }) => milliseconds),
      )
    await sql.raw(addNode(secondWorker)).execute(db)
    await sql`select citus_rebalance_start(rebalance_strategy => 'by_shard_count')`.execute(db)
    await sql`select citus_rebalance_wait()`.execute(db)
    slowest = Math.max(...loads.map(load => load.slowest))
    const { rows: placed } = await sql<{ port: number; shards: number }>`
    select nodeport as port, count(*)::int as shards from pg_dist_shard_placement p join pg_dist_shard s using (shardid)
    where s.logicalrelid = 'ticket'::regclass group by 1 order by 1`.execute(db)
    say(
      `a worker was added and the shards spread in ${seconds(started)} under load (${placed.map(({ port, shards }) => `${port}: ${shards}`).join(', ')}): ` +
        `${refusedNow().length - seen} refusals, the longest after ${longest()} ms; slowest answer ${slowest} ms`,
    )
    expect(placed.length).toBe(2)
    await use(40)
    await intact()

    // ── An organization on a worker of its own ──
    const big = staffs[0]?.organization as number
    started = performance.now()
    seen = refusedNow().length
    const from = await portOf(db, big)
    const to = from === firstWorker.port ? secondWorker : firstWorker
    // Both take locks on all tables, one after the other: in a deadlock with people who write they may be the ones that are canceled.
    let pauses = 0
    const despiteDeadlocks = async <T>(work: () => Promise<T>) => {
      try {
        return await work()
      } catch (error) {
        expect(sqlState(error)).toBe('40P01')
        pauses++
        for (const stop of end) await stop()
        const done = await work()
        end = loads.map(load => load.begin())
        return done
      }
    }
    const { rows: tenant } = await despiteDeadlocks(() =>
      sql<{ shard: number }>`
        select isolate_tenant_to_new_shard('ticket', ${sql.lit(big)}::bigint, 'CASCADE', shard_transfer_mode => 'block_writes') as shard`.execute(
        db,
      ),
    )
    await despiteDeadlocks(() =>
      sql`
        select citus_move_shard_placement(${sql.lit(tenant[0]?.shard)}, '127.0.0.1', ${sql.lit(from)}, ${sql.lit(to.host)}, ${sql.lit(to.port)},
          shard_transfer_mode => 'block_writes')`.execute(db),
    )
    expect(await portOf(db, big)).toBe(to.port)
    say(
      `organization ${big} was put into a shard of its own and moved to the other worker in ${seconds(started)}, ${pauses} of 2 steps after a deadlock and without load: ` +
        `${refusedNow().length - seen} refusals, the longest after ${longest()} ms`,
    )
    await use(40)
    await intact()

    // ── A worker dies ──
    if (citus.crash) {
      started = performance.now()
      seen = refusedNow().length
      citus.crash(to)
      await sleep(1000)
      citus.start()
      for (const load of loads) await load.untilAcknowledged(10, 60_000)
      say(
        `a worker was killed and started again after 1 s: all organizations write again after ${seconds(started)}, ` +
          `${refusedNow().length - seen} refusals, the longest after ${longest()} ms`,
      )
      await use(20)
      await intact(true)
    }

    // ── Import, backup under load, restore into another cluster database ──
    const csv = path.join(place.folder, 'export.csv')
    const tickets = Array.from(
      { length: 400 },
      (_, index) => `X-${index + 1},${index + 1},Bug,Open,Imported ${index + 1},${index % 4 > 0 ? index - (index % 4) + 1 : ''}`,
    )
    writeFileSync(csv, `Issue key,Issue id,Issue Type,Status,Summary,Parent id\n${tickets.join('\n')}\n`)
    const target = organizations[3] as (typeof organizations)[number]
    started = performance.now()
    const imported = await succeeds('import', csv, '--project', 'IMP', '--organization', String(target.id))
    say(`import under load in ${seconds(started)}: ${imported.split('\n').at(-1)}`)
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from ticket where organization_id = ${target.id} and title like 'Imported %'`.execute(db)
    expect(counted).toEqual([{ count: tickets.length }])
    const archive = path.join(place.folder, 'backup.tar.gz')
    say(`backup under load: ${(await succeeds('backup', '--to', archive)).split('\n').join(' ')}`)
    for (const stop of end) await stop()
    await intact(true)
    say(`${acknowledged()} acknowledged writes in all, 0 lost, 0 torn; ${refusedNow().length} refused`)

    const other = `${name}_restored`
    cleanUp.defer(() => dropDatabase(citus.servers, other))
    await createCitusDatabase(citus.servers, other, 4)
    using elsewhere = temporaryDirectory()
    const restoring = { ...settings, DATABASE_URL: on(coordinator, other), TESSERA_DATA: elsewhere.folder }
    for (const command of [['restore', archive], ['distribute']]) {
      const { code, output } = await tessera(restoring, ...command)
      expect(code, output).toBe(0)
    }
    // The restored database was never upgraded: it was distributed with the newest schema.
    expect(await schemaOf(citus.servers.slice(0, 2), other)).toEqual(upgraded)
    await using restored = startProcess(restoring)
    const where = await restored.ready()
    for (const { login, projectId, template, first: idTicket } of organizations.slice(1, 7)) {
      const person = browser(() => where)
      await person.signIn(login, 'correct horse battery')
      expect((await person.post(queryTickets, { idProject: projectId })).body).toMatchObject({ Total: 140 })
      expect((await person.post(getTicketData, { idTicket })).status).toBe(200)
      const made = await person.post(createNewTicket, {
        idProject: projectId,
        idTemplate: template,
        Title: 'After the restore, unheard words',
      })
      expect(made.status).toBe(200)
    }
    say('the backup was restored, distributed again and used')

    // ── An upgrade that changes distributed tables ──
    const folder = path.join(place.folder, 'migrations')
    mkdirSync(folder)
    cpSync(ownMigrations, folder, { recursive: true })
    writeFileSync(path.join(folder, '9001-future.sql'), future)
    // As `tessera migrate` does: not over the connections that the kill has broken.
    const upgrading = connect(connection, { poolSize: 2, noTimeLimits: true })
    cleanUp.defer(() => upgrading.destroy())
    expect(await migrate(upgrading, { folder: pathToFileURL(`${folder}/`) })).toEqual({ applied: ['9001-future.sql'] })
    const { rows: future1 } = await sql<{ shouting: boolean; method: string }>`
    select (select bool_and(shout = upper(title)) from ticket) as shouting,
      (select partmethod::text from pg_dist_partition where logicalrelid = 'later'::regclass) as method`.execute(upgrading)
    expect(future1).toEqual([{ shouting: true, method: 'h' }])
    const some = organizations[7] as (typeof organizations)[number]
    await sql`update ticket set title = 'quiet' where organization_id = ${some.id} and id = ${some.first}`.execute(upgrading)
    const { rows: noted } = await sql`select title from later where organization_id = ${some.id}`.execute(upgrading)
    expect(noted).toEqual([{ title: 'quiet' }])
    await vi.waitFor(async () => expect((await fetch(`${addresses[0]}/readyz`)).status).toBeGreaterThan(0), 30_000)
    say('a migration that changes a distributed table and adds one with a trigger ran on the cluster')
  },
)

function seconds(started: number) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}
