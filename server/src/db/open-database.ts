import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Connection, type ConnectOptions, connect } from './connections/connect.ts'
import { type Db, queryRows } from './db.ts'
import { defaultDatabaseMemory, workMemory } from './embedded/memory.ts'
import { runningServer } from './embedded/running-server.ts'
import { type Embedded, startEmbedded } from './embedded/start-embedded.ts'
import { assertSameDatabase, assertUsable, lackOfPooledUser } from './external.ts'
import { int4 } from './shape.ts'

/** How long a command that is done waits for others that joined its PostgreSQL, and when it says so. */
const waitSeconds = { longest: 600, silent: 1 }

export interface OpenDatabase {
  db: Db
  /** For dedicated sessions: without the PgBouncer, if there is one. */
  connection: Connection
  /** The data directory in use: another one than requested if PostgreSQL's account may not enter root's. */
  data: string
  /** For the console: where the data is instead, and why; or what the user of a PgBouncer lacks. */
  notice: string | null
  /** Whether another process may have it open too. */
  shared: boolean
  /** Whether it is the bundled one of a server that is running. */
  running: boolean
  /** Closes the pool, then stops the bundled PostgreSQL if this process started it; a command first waits for others that joined it. */
  close(): Promise<void>
}

interface OpenOptions {
  /** Called when the database fails and when it is available again. */
  report?: (message: string, error?: unknown) => void
  /** Connects to a bundled PostgreSQL that a running server already owns, instead of refusing. */
  join?: boolean
  /** Called when the end waits for another command that joined this one's bundled PostgreSQL. */
  onWait?: () => void
  /** Without limits on time. */
  noTimeLimits?: boolean
  /** Called with the text of each statement before it is first sent; throws to refuse it. */
  inspect?: ((text: string) => void) | undefined
}

/** The database the settings name: an external one, or the bundled PostgreSQL, started, supervised and stopped with this process. */
export async function openDatabase(
  config: Config,
  { report = () => {}, join = false, onWait = () => {}, noTimeLimits = false, inspect }: OpenOptions = {},
): Promise<OpenDatabase> {
  const onLost = (error: Error) => report('A database connection broke', error)
  const pool = { poolSize: config.databasePool, noTimeLimits, onLost, ...(inspect ? { inspect } : {}) }
  if (config.databaseUrl !== undefined) {
    const direct = config.databaseDirectUrl
    await assertUsable(config.databaseUrl, { mayBePooled: direct !== undefined })
    if (direct !== undefined) {
      await assertUsable(direct, { setting: 'DATABASE_DIRECT_URL' })
      await assertSameDatabase(config.databaseUrl, direct)
    }
    const notice = direct === undefined ? null : await lackOfPooledUser(config.databaseUrl)
    const connection = { connectionString: direct ?? config.databaseUrl }
    const db = noTimeLimits ? connect(connection, pool) : connectExternal(config.databaseUrl, config, pool)
    return { db, connection, data: config.data, notice, shared: true, running: false, close: () => db.destroy() }
  }
  const running = join ? runningServer(config.data) : null
  if (running) {
    const db = connect(running.connection, pool)
    return { db, ...running, notice: null, shared: true, running: true, close: () => db.destroy() }
  }
  const bundled = await supervise(config, report)
  const db = connect(bundled.connection, pool)
  return {
    db,
    ...bundled,
    shared: false,
    running: false,
    close: async () => {
      await Promise.race([db.destroy(), sleep(3000, undefined, { ref: false })])
      // A server does not wait: it stops when it is told to.
      if (join) await untilUnused(bundled.connection, onWait).catch(() => {})
      await bundled.stop()
    },
  }
}

/** Waits until no other process has a connection; one that is idle for longer than our pools keep theirs is not ours. */
async function untilUnused(connection: Connection, onWait: () => void) {
  const db = connect(connection, { poolSize: 1, noTimeLimits: true })
  const began = performance.now()
  try {
    for (let hasSaidSo = false; ; await sleep(100)) {
      const [row] = await queryRows(db, { others: int4 })`
        select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
          and (state is distinct from 'idle' or state_change > now() - interval '60 seconds')`
      const seconds = (performance.now() - began) / 1000
      if (row?.others === 0 || seconds > waitSeconds.longest) return
      if (!hasSaidSo && seconds > waitSeconds.silent) {
        hasSaidSo = true
        onWait()
      }
    }
  } finally {
    await db.destroy()
  }
}

/** The pool of a process that answers requests, on an external database. */
export function connectExternal(url: string, config: Config, options: Pick<ConnectOptions, 'onLost' | 'inspect'>): Db {
  const { databaseDirectUrl: direct, databasePool: poolSize, databasePrepare: prepare } = config
  return connect(
    { connectionString: url },
    { ...options, poolSize, prepare, noTimeLimits: false, ...(direct === undefined ? {} : { direct: { connectionString: direct } }) },
  )
}

/**
 * Keeps the bundled PostgreSQL running: one that dies is started again, with growing pauses while that fails. A data directory that
 * was removed or unmounted meanwhile is waited for, never replaced by an empty one.
 */
async function supervise(config: Config, report: NonNullable<OpenOptions['report']>) {
  const memory = config.databaseMemory ?? defaultDatabaseMemory()
  // Each worker process has a pool; jobs, the operator's commands and backups need some more.
  const settings = {
    max_connections: String(Math.max(60, config.workers * (config.databasePool + 4) + 20)),
    shared_buffers: `${Math.floor(memory / 1024)}kB`,
    work_mem: `${Math.floor(workMemory(memory) / 1024)}kB`,
  }
  let server: Embedded = await startEmbedded({ directory: config.data, settings })
  const { directory } = server
  const ending = new AbortController()
  const { signal } = ending
  async function watch() {
    while (!signal.aborted) {
      const { reason } = await server.exited
      if (signal.aborted) return
      report(`The bundled PostgreSQL ended (${reason}); starting it again`)
      for (let pause = 100; !signal.aborted; pause = Math.min(pause * 2, 30_000)) {
        try {
          server = await startEmbedded({ directory, settings, create: false })
          report('The bundled PostgreSQL is back')
          break
        } catch (error) {
          report('The bundled PostgreSQL does not start; trying again', error)
          await sleep(pause, undefined, { signal }).catch(() => {})
        }
      }
    }
    if (signal.aborted) await server.stop()
  }
  const watching = watch()
  return {
    connection: server.connection,
    data: directory,
    notice: server.notice,
    stop: async () => {
      ending.abort()
      await server.stop()
      await watching
    },
  }
}
