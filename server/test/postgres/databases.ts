import { sql } from 'kysely'
import { type Connection, connect } from '../../src/db/connections/connect.ts'
import type { Db } from '../../src/db/db.ts'
import { sqlState } from '../../src/db/sql-state.ts'

const administration = { poolSize: 1, prepare: false, noTimeLimits: true } as const

/** Runs the statements one after the other on a connection of their own. */
export async function runOn(server: Connection, statements: readonly string[]) {
  const db = connect(server, administration)
  try {
    for (const statement of statements) await sql.raw(statement).execute(db)
  } finally {
    await db.destroy()
  }
}

const administered = new Map<string, Db>()

/** A connection to the server that the worker keeps. With a new one for each database, half of PostgreSQL's processes were started for that. */
export function administrationOf(server: Connection) {
  const key = JSON.stringify(server)
  const db = administered.get(key) ?? connect(server, administration)
  administered.set(key, db)
  return db
}

async function administer(server: Connection, statements: readonly string[]) {
  for (const statement of statements) await sql.raw(statement).execute(administrationOf(server))
}

/** A copy of a database does not have its settings: what `tessera distribute` sets, and what some tests do beside the product. */
const copied = [
  'citus.multi_shard_modify_mode = sequential',
  'citus.enable_unsafe_triggers = on',
  'citus.allow_nested_distributed_execution = on',
]

/** Creates the database on every server: on the only PostgreSQL, or on the coordinator and the workers of a cluster. */
export async function createDatabase(servers: readonly Connection[], name: string, template?: string) {
  const settings = servers.length > 1 && template ? copied.map(setting => `alter database ${name} set ${setting}`) : []
  // The files of the template are copied: through the write-ahead log, which is the default, it takes five times as long.
  const create = template === undefined ? `create database ${name}` : `create database ${name} template ${template} strategy file_copy`
  await Promise.all(servers.map(server => administer(server, [create, ...settings])))
}

export async function dropDatabase(servers: readonly Connection[], name: string) {
  // The servers of a cluster connect to each other all the time, and to a database in use `drop` waits five seconds before it gives up.
  if (servers.length > 1) for (const server of servers) await closeDatabase(server, name)
  for (const server of servers) await dropClosed(server, name)
}

/** On a busy machine, connections may take longer than those five seconds to end. */
async function dropClosed(server: Connection, name: string, attempts = 6): Promise<void> {
  try {
    await administer(server, [`drop database if exists ${name} with (force)`])
  } catch (error) {
    if (sqlState(error) !== '55006' || attempts === 1) throw error
    await dropClosed(server, name, attempts - 1)
  }
}

/** Ends its connections and accepts no others. */
export async function closeDatabase(server: Connection, name: string) {
  await administer(server, [
    `update pg_database set datallowconn = false where datname = '${name}'`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ])
}
