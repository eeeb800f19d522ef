import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { connect } from '../src/db/db.ts'
import { distributionSteps, planDistribution } from '../src/db/distribution.ts'
import type { Connection } from '../src/db/embedded/settings.ts'
import { migrate } from '../src/db/migrate.ts'
import { createDatabase, runOn } from './databases.ts'

// Tests on a real Citus cluster. Nothing of Citus is part of the project: TESSERA_TEST_CITUS names the servers of a cluster that is there, the
// coordinator first, or a script beside the checkout starts one.

const script = fileURLToPath(new URL('../../../shared/tools/citus/cluster.sh', import.meta.url))
const postgres15 = '/usr/lib/postgresql/15/bin/postgres'
const local = [5560, 5561, 5562].map(port => `postgres://tessera@127.0.0.1:${port}/postgres`)

/** The addresses of the servers, the coordinator first; a reason when there is no cluster to test with. */
export function findCitus(): { servers: Connection[] } | { missing: string } {
  const named = process.env.TESSERA_TEST_CITUS?.split(/\s+/).filter(Boolean)
  if (named && named.length > 0) return { servers: named.map(connectionOf) }
  if (!existsSync(script)) return { missing: 'no Citus cluster: set TESSERA_TEST_CITUS to the addresses of its servers' }
  if (!existsSync(postgres15)) return { missing: 'no PostgreSQL 15 of Debian, which the Citus cluster needs' }
  if (process.getuid?.() !== 0) return { missing: 'the Citus cluster is started by root only' }
  try {
    execFileSync('bash', [script, 'start'], { stdio: 'pipe' })
    // makes the role
    execFileSync('bash', [script, 'database', 'tessera_role'], { stdio: 'pipe' })
  } catch (error) {
    return { missing: `the Citus cluster did not start: ${String((error as { stderr?: unknown }).stderr ?? error)}` }
  }
  return { servers: local.map(connectionOf) }
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
export async function createCitusDatabase(servers: Connection[], name: string) {
  await createDatabase(servers, name)
  for (const server of servers)
    await runOn({ ...server, database: name }, [
      'create extension citus',
      // The triggers of a distributed table read and write other distributed tables.
      `alter database ${name} set citus.allow_nested_distributed_execution = on`,
      `alter database ${name} set citus.enable_unsafe_triggers = on`,
    ])
  const [coordinator, ...workers] = servers as [Connection, ...Connection[]]
  await runOn({ ...coordinator, database: name }, [
    `alter database ${name} set citus.shard_count = 4`,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ])
}

/** A migrated and distributed database without rows, to be copied. */
export async function createCitusTemplate(servers: Connection[], name: string) {
  await createCitusDatabase(servers, name)
  const db = connect({ ...servers[0], database: name }, { poolSize: 2, noTimeLimits: true })
  try {
    await migrate(db)
    const steps = distributionSteps(await planDistribution(db))
    await db.transaction().execute(async transaction => {
      for (const { statement } of steps) await sql.raw(statement).execute(transaction)
    })
  } finally {
    await db.destroy()
  }
  // The maintenance daemon of Citus keeps a connection, and a database in use is not copied.
  for (const server of servers)
    await runOn(server, [
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    ])
}
