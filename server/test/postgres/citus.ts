import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { connect } from '../../src/db/connections/connect.ts'
import type { Db } from '../../src/db/db.ts'
import type { Connection } from '../../src/db/embedded/connection.ts'
import { distributionSteps, planDistribution } from '../../src/db/schema/distribution.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { closeDatabase, createDatabase, runOn } from './databases.ts'

// Tests on a real Citus cluster. Nothing of Citus is part of the project: TESSERA_TEST_CITUS names the servers of a cluster that is there, the
// coordinator first, or a script that starts and stops one (`start`, `stop`) on these ports, with its data in /tmp/tessera-citus/PORT.

const given = process.env.TESSERA_TEST_CITUS ?? ''
const postgres15 = '/usr/lib/postgresql/15/bin/postgres'
const ports = [5560, 5561, 5562]

export interface Citus {
  /** The coordinator first. */
  servers: [Connection, ...Connection[]]
  /** Kills one of them as a power cut does; where the cluster is not ours to stop, undefined. */
  crash?: (server: Connection) => void
  /** Starts those that are down. */
  start: () => void
  /** Ends the cluster if `findCitus` has started it. */
  stop: () => void
}

/** A cluster to test on; a reason when there is none. */
export function findCitus(): Citus | { missing: string } {
  if (given.startsWith('postgres')) {
    const servers = given.trim().split(/\s+/).map(connectionOf)
    return { servers: servers as [Connection, ...Connection[]], start: () => {}, stop: () => {} }
  }
  if (!existsSync(given)) return { missing: 'no Citus cluster: set TESSERA_TEST_CITUS to the addresses of its servers' }
  if (!existsSync(postgres15)) return { missing: 'no PostgreSQL 15 of Debian, which the Citus cluster needs' }
  if (process.getuid?.() !== 0) return { missing: 'the Citus cluster is started by root only' }
  const call = (...args: string[]) => execFileSync('bash', [given, ...args], { stdio: 'pipe' })
  const wasRunning = ports.every(port => pidOf(port) !== undefined)
  try {
    call('start')
  } catch (error) {
    return { missing: `the Citus cluster did not start: ${String((error as { stderr?: unknown }).stderr ?? error)}` }
  }
  return {
    servers: ports.map(port => connectionOf(`postgres://postgres@127.0.0.1:${port}/postgres`)) as [Connection, ...Connection[]],
    crash: ({ port }) => process.kill(pidOf(Number(port)) as number, 'SIGQUIT'),
    start: () => void call('start'),
    stop: () => {
      if (!wasRunning) call('stop')
    },
  }
}

/** The postmaster of a server of the cluster that the script starts. */
function pidOf(port: number) {
  try {
    const pid = Number(readFileSync(`/tmp/tessera-citus/${port}/postmaster.pid`, 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

function connectionOf(address: string): Connection {
  const { hostname, port, username, password, pathname } = new URL(address)
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    database: pathname.slice(1) || 'postgres',
  }
}

/** Creates a database on all servers and registers the workers, as docs/scaling.md describes. Few shards make it quick. */
export async function createCitusDatabase(servers: readonly [Connection, ...Connection[]], name: string, shards = 2) {
  await createDatabase(servers, name)
  for (const server of servers) await runOn({ ...server, database: name }, ['create extension citus'])
  const [coordinator, ...workers] = servers
  await runOn({ ...coordinator, database: name }, [
    `alter database ${name} set citus.shard_count = ${shards}`,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(addNode),
  ])
}

export function addNode({ host, port }: Connection) {
  return `select citus_add_node('${host}', ${port})`
}

/** Does what `tessera distribute` does, with whatever schema the database has. */
export async function distribute(db: Db) {
  const steps = distributionSteps(await planDistribution(db))
  await db.transaction().execute(async transaction => {
    for (const { statement } of steps) await sql.raw(statement).execute(transaction)
  })
}

/** A migrated and distributed database without rows, to be copied. */
export async function createCitusTemplate(servers: Citus['servers'], name: string) {
  await createCitusDatabase(servers, name)
  const db = connect({ ...servers[0], database: name }, { poolSize: 2, noTimeLimits: true })
  try {
    await migrate(db)
    await distribute(db)
  } finally {
    await db.destroy()
  }
  // The maintenance daemon of Citus keeps a connection, and a database in use is not copied.
  for (const server of servers) await closeDatabase(server, name)
}
