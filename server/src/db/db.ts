import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { lend, Pipelines } from './pipelines.ts'
import { type KnownColumns, PreparedQuery } from './prepared-query.ts'
import type { Tables } from './tables.ts'

/** Either the pool or an open transaction: every query takes it as its first argument and none can reach another. */
export type Db = Kysely<Tables>

/** Where the database listens; a socket directory in `host` for the bundled one. */
export type Connection = Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'database' | 'password' | 'connectionString' | 'ssl'>

export interface ConnectOptions {
  /** Connections of this process at most; a third of them, but three at most, are shared by short reads. */
  poolSize?: number
  /** Off behind a PgBouncer that pools transactions and keeps no prepared statements. */
  prepare?: boolean
  /** Called once with the text of each distinct statement before it is first sent; throws to refuse it. */
  inspect?: (text: string) => void
  /** Without limits on time: for migrations, imports, backups. */
  patient?: boolean
  /**
   * The same database past a PgBouncer that `connection` leads to, for what needs a session of its own: LISTEN and the job queue. The pooler takes no
   * settings with a connection: limits on time are those of the database's user then.
   */
  direct?: Connection
  /** Called when an idle connection breaks: the database was restarted, say. */
  onLost?: (error: Error) => void
}

// A request that meets a silent network is answered within ten seconds: the server ends a
// statement after 6, this side gives it up after 6.25 to 6.75, and three may have gone by waiting for a connection. A pipeline of short reads is
// given up after 3, with all that is in it. One timer looks at all connections and counts its own turns, so that a process that was stopped for a while reads first what came meanwhile.
// The driver's own timer, one for each statement, lets what the statement held survive in memory for long.
const watchMilliseconds = 250
const patienceTurns = { alone: 25, pipeline: 12 }
const limited = '-c statement_timeout=6000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC'
// Said aloud: the database's user may have limits of its own.
const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c timezone=UTC'

// Ids and counts stay below 2^53 (decisions D1.2).
const int8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
}

const preparable = /^\s*(\/\*.*?\*\/\s*)?(select|with|insert|update|delete)/i

/** Opens a pool. Statements are prepared once per connection under a name of their own; every wait has an end. */
export function connect(
  connection: Connection,
  { poolSize = 16, prepare = true, patient = false, inspect, direct, onLost }: ConnectOptions = {},
): Db {
  const names = new Map<string, string | undefined>()
  let prepared = 0

  /** `undefined` leaves a statement unprepared. */
  function nameOf(text: string) {
    let name = names.get(text)
    if (name === undefined && !names.has(text)) {
      inspect?.(text)
      // Statements whose text varies would fill the server's memory: past a bound they are sent unprepared.
      const isPrepared = prepare && prepared < 1000 && !text.startsWith(anew) && preparable.test(text)
      if (isPrepared) name = `s${prepared++}`
      if (isPrepared || names.size < 5000) names.set(text, name)
    }
    return name
  }

  class PreparingClient extends pg.Client {
    declare private readonly readyForQuery: boolean
    declare readonly pipeline: boolean
    readonly #columns: KnownColumns = new Map()
    /** Statements sent; in a pipeline answered, as more are sent while one is stuck. */
    #progress = 0
    #seen = 0
    #turns = 0

    // biome-ignore lint/suspicious/noExplicitAny: node-postgres overloads query eight times.
    override query(text: any, values?: any, callback?: any): any {
      if (!this.pipeline) this.#progress++
      if (typeof text !== 'string' || typeof values === 'function' || callback) return super.query(text, values, callback)
      const name = nameOf(text)
      const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
      const done = (error: Error | null | undefined, result: pg.QueryResult) => {
        this.#progress++
        if (error) reject(error)
        else resolve(result)
      }
      if (name === undefined) super.query({ text, values } as pg.QueryConfig, done)
      else super.query(new PreparedQuery(name, text, values, this.#columns, done))
      return promise
    }

    /** Whether this statement was answered on this connection before. */
    knows(text: string) {
      const name = nameOf(text)
      return name !== undefined && this.#columns.has(name)
    }

    /** Ends a connection on which one statement has not been answered in time: what goes over it next would wait as long. */
    watch() {
      if (this.readyForQuery || this.#progress !== this.#seen) {
        this.#seen = this.#progress
        this.#turns = 0
      } else if (++this.#turns > patienceTurns[this.pipeline ? 'pipeline' : 'alone'])
        this.connection.stream.destroy(new Error('Query read timeout'))
    }
  }

  // A third at most, and none through a pooler, which would tear them apart.
  const pipelined = prepare && !direct && !patient ? Math.min(3, Math.floor(poolSize / 3)) : 0
  const options = {
    Client: PreparingClient,
    types,
    max: poolSize - pipelined,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    options: patient ? unlimited : limited,
  }
  const pool = new pg.Pool({ ...options, ...connection, ...(direct ? { options: undefined } : {}) } as pg.PoolConfig)
  const sessions = direct ? new pg.Pool({ ...options, ...direct, max: sessionsOfProcess } as pg.PoolConfig) : pool
  // One plan serves all parameters of a short read. PostgreSQL by itself would try five others first, each of which takes longer than the read.
  const onePlan = `${limited} -c plan_cache_mode=force_generic_plan`
  const short =
    pipelined > 0
      ? new pg.Pool({ ...options, ...connection, max: pipelined, options: onePlan, pipeline: true } as pg.PoolConfig)
      : undefined
  const pipelines = short && new Pipelines(short)
  const clients = new Set<PreparingClient>()
  for (const each of new Set([pool, sessions, short ?? pool])) {
    each.on('error', error => onLost?.(error))
    // Also while a connection is lent out and waits between two statements: an unheard error would end the process.
    each.on('connect', client => client.on('error', () => undefined))
    if (patient) continue
    each.on('connect', client => clients.add(client as unknown as PreparingClient))
    each.on('remove', client => clients.delete(client as unknown as PreparingClient))
  }
  const watch = setInterval(() => {
    for (const client of clients) client.watch()
    pipelines?.tidy()
  }, watchMilliseconds).unref()
  const end = async () => {
    clearInterval(watch)
    await Promise.all([...[...new Set([pool, sessions])].map(each => each.end()), pipelines?.end()])
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect: () => lend(pool), end, options: pool.options } }) })
  // Kysely's own ends nothing before its first query.
  db.destroy = end
  pools.set(db, { pool, sessions, pipelines })
  return db
}

/** The job queue's three and its listener. */
const sessionsOfProcess = 5
const pools = new WeakMap<Db, { pool: pg.Pool; sessions: pg.Pool; pipelines: Pipelines | undefined }>()

function below(db: Db) {
  const found = pools.get(db)
  if (!found) throw new Error('This is not what connect() gave: a transaction has no pool.')
  return found
}

/** The pool below. */
export function poolOf(db: Db): pg.Pool {
  return below(db).pool
}

/** Connections that stay what they are between two statements, for LISTEN and for the job queue, which takes connections by itself. */
export function sessionsOf(db: Db): pg.Pool {
  return below(db).sessions
}

/** A statement written by hand, for the paths where building it anew for each request would cost more than running it. */
export interface Statement<Row> {
  readonly text: string
  readonly isShort?: boolean
  readonly row?: Row
}

export function statement<Row>(text: string): Statement<Row> {
  return { text }
}

/** A read of a bounded number of rows by an index, which nothing keeps waiting: several share a connection (pipelines.ts). */
export function shortRead<Row>(text: string): Statement<Row> {
  return { text, isShort: true }
}

const anew = '/* planned anew */'

/** A statement whose best plan depends on its parameters, or whose text varies: never prepared. */
export function plannedAnew<Row>(text: string): Statement<Row> {
  return { text: `${anew} ${text}` }
}

export async function run<Row>(db: Db, { text, isShort }: Statement<Row>, parameters: readonly unknown[]): Promise<Row[]> {
  const below = pools.get(db)
  if (!below) return (await db.executeQuery(CompiledQuery.raw(text, parameters as unknown[]))).rows as Row[]
  try {
    return ((isShort && (await below.pipelines?.query(text, parameters))) || (await alone(below.pool, text, parameters))).rows as Row[]
  } catch (error) {
    // The driver's own leads to the socket.
    Error.captureStackTrace(error as Error)
    throw error
  }
}

async function alone(pool: pg.Pool, text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
  const client = await lend(pool)
  try {
    return await client.query(text, parameters as unknown[])
  } finally {
    client.release()
  }
}

/** The SQLSTATE of a database error, or of a broken connection '08006'. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') {
    return error instanceof Error &&
      /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|driver has already been destroyed/.test(
        error.message,
      )
      ? '08006'
      : undefined
  }
  if (/^E(CONN|PIPE|NOTFOUND|TIMEDOUT|NOENT|AI_AGAIN|HOST|NET)/.test(code)) return '08006'
  return /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Not a defect of the statement: the database is busy or away, and the same may succeed in a moment. */
export function isBusyOrAway(error: unknown) {
  return /^(40001|40P01|55P03|57014|53|57P|08|25P0)/.test(sqlState(error) ?? '')
}
