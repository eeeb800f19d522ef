import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Db, sharedConnections, unprepared } from '../db.ts'
import { planning } from '../embedded/settings.ts'
import type { Tables } from '../tables.ts'
import { SharedConnections, tooManyConnections } from './shared-connections.ts'

/** Where the database listens; a socket directory in `host` for the bundled one. */
export type Connection = Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'database' | 'password' | 'connectionString' | 'ssl'>

export interface ConnectOptions {
  /** Connections of this process at most; a third of them, but three at most, are shared by short reads. */
  poolSize?: number
  /** Off behind a PgBouncer in transaction mode without prepared statements. */
  prepare?: boolean
  /** Called once with the text of each distinct statement before it is first sent; throws to refuse it. */
  inspect?: (text: string) => void
  /** Without time limits: for migrations, imports, backups. */
  noTimeLimits?: boolean
  /**
   * The same database without the PgBouncer of `connection`, for everything that needs its own session: LISTEN and the job queue. The
   * pooler accepts no settings per connection, so those of the database user apply.
   */
  direct?: Connection
  /** Called when an idle connection breaks, for example because the database was restarted. */
  onLost?: (error: Error) => void
}

// Every wait is bounded, so that a request on a silent network is answered within ten seconds: up to 3 s for a connection, 6 s until the
// server cancels the statement, 6.5 s until the client closes the connection.
const waits = { connectionTimeoutMillis: 3000, query_timeout: 6500 }
/** How long a statement may take. */
export const usualSeconds = 6
const always = Object.entries({ ...planning, timezone: 'UTC' })
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')
const within = (seconds: number) =>
  `-c statement_timeout=${seconds}s -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000 ${always}`
const limited = within(usualSeconds)
/** For the rare changes that rewrite many tickets; a browser gives up after 120 s. */
const longWaits = { ...waits, query_timeout: 105_000 }
const longLimited = within(100)
// Set explicitly: the database user may have other limits.
const unlimited = `-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 ${always}`
/** Short reads have a shorter time-out, because others wait behind them. */
const sharedWaits = { query_timeout: 3000 }
/**
 * Short reads use one generic plan: PostgreSQL would otherwise make five custom plans first, each of which takes longer than the read.
 * Citus chooses the server from the parameters, so it needs custom plans.
 */
const genericPlans = `select set_config('plan_cache_mode', 'force_generic_plan', false)
  where not exists (select from pg_extension where extname = 'citus')`

// Ids and counts stay below 2^53, so a number holds them exactly.
const int8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
}

const preparable = /^\s*(\/\*.*?\*\/\s*)?(select|with|insert|update|delete)/i

/** Gives each distinct statement the name by which PostgreSQL prepares it; `undefined` leaves one unprepared. */
function statementNames(prepare: boolean, inspect: ConnectOptions['inspect']) {
  const names = new Map<string, string | undefined>()
  let prepared = 0
  return (text: string) => {
    let name = names.get(text)
    if (name === undefined && !names.has(text)) {
      inspect?.(text)
      // Statements whose text varies would fill the server's memory: beyond a limit they are sent unprepared.
      const isPrepared = prepare && prepared < 1000 && !text.startsWith(unprepared) && preparable.test(text)
      if (isPrepared) name = `s${prepared++}`
      // Texts that vary are kept only to inspect each once: thousands of them, of 10 kB each, would fill this process too.
      if (isPrepared || (inspect && names.size < 5000)) names.set(text, name)
    }
    return name
  }
}

/** Opens the pools of a database. Each distinct statement is prepared once per connection. */
export function connect(
  connection: Connection,
  { poolSize = 16, prepare = true, noTimeLimits = false, inspect, direct, onLost }: ConnectOptions = {},
): Db {
  const nameOf = statementNames(prepare, inspect)

  class Client extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: node-postgres overloads query eight times.
    override query(text: any, values?: any, callback?: any): any {
      const isPlain = typeof text === 'string' && typeof values !== 'function' && !callback
      const answer = isPlain ? super.query({ name: nameOf(text), text, values }) : super.query(text, values, callback)
      return answer instanceof Promise ? answer.catch(error => this.#fail(error)) : answer
    }

    /** After an error that is not an answer of PostgreSQL, such as a time-out, the connection is not reused. */
    #fail(error: Error) {
      if (!(error instanceof pg.DatabaseError)) void this.end()
      throw error
    }
  }

  // A pooler would split a pipeline over several connections.
  const shareable = prepare && !direct && !noTimeLimits ? Math.min(3, Math.floor(poolSize / 3)) : 0
  const options = {
    Client,
    types,
    max: poolSize - shareable,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(noTimeLimits ? { options: unlimited, connectionTimeoutMillis: waits.connectionTimeoutMillis } : { options: limited, ...waits }),
  }
  const pool = new pg.Pool({ ...options, ...connection, ...(direct ? { options: undefined } : {}) } as pg.PoolConfig)
  const sessions = direct ? new pg.Pool({ ...options, ...direct, max: sessionsOfProcess } as pg.PoolConfig) : pool
  const short =
    shareable > 0 ? new pg.Pool({ ...options, ...connection, ...sharedWaits, max: shareable, pipeline: true } as pg.PoolConfig) : undefined
  const long = noTimeLimits
    ? pool
    : new pg.Pool({ ...options, ...(direct ?? connection), ...longWaits, options: longLimited, max: 2 } as pg.PoolConfig)
  // Sent together with the first read.
  short?.on('connect', client => client.query(genericPlans).catch(() => undefined))
  const all = [...new Set([pool, sessions, long, short ?? pool])]
  for (const each of all) {
    each.on('error', error => onLost?.(error))
    // Also while a connection is checked out and idle between two statements: an unhandled error event would end the process.
    each.on('connect', client => client.on('error', () => undefined))
  }
  const end = async () => {
    await Promise.all(all.map(each => each.end()))
  }
  const open = (from: pg.Pool) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect: () => acquire(from), end, options: from.options } }) })
  const db = open(pool)
  // Kysely's own driver closes nothing before its first query.
  db.destroy = end
  pools.set(db, { pool, sessions, all, long: open(long) })
  if (short) sharedConnections.set(db, new SharedConnections(short))
  return db
}

/** A connection of the pool. If PostgreSQL refuses a new one, an open one is used. */
async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  for (const began = performance.now(); ; await sleep(10 + Math.random() * 20)) {
    try {
      return await pool.connect()
    } catch (error) {
      const isLate = performance.now() - began > waits.connectionTimeoutMillis
      if ((error as pg.DatabaseError).code !== tooManyConnections || pool.totalCount === 0 || isLate) throw error
    }
  }
}

/** The job queue's three and its listener. */
const sessionsOfProcess = 5
const pools = new WeakMap<Db, { pool: pg.Pool; sessions: pg.Pool; all: pg.Pool[]; long: Db }>()

function poolsBehind(db: Db) {
  const found = pools.get(db)
  if (!found) throw new Error('This Db is not from connect(): a transaction has no pool.')
  return found
}

/** All its pools, including those for short reads and direct connections. */
export function poolsOf(db: Db): readonly pg.Pool[] {
  return poolsBehind(db).all
}

/** The underlying pool. */
export function poolOf(db: Db): pg.Pool {
  return poolsBehind(db).pool
}

/** Connections that keep their session between two statements, for LISTEN and for the job queue, which opens connections itself. */
export function sessionsOf(db: Db): pg.Pool {
  return poolsBehind(db).sessions
}

/** The same database for a transaction that rewrites many tickets: a statement may take 100 s instead of 6. A process runs two at a time. */
export function forLongTransaction(db: Db): Db {
  return poolsBehind(db).long
}
