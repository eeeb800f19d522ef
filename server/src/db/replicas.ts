import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../operator-error.ts'
import { connect } from './connections/connect.ts'
import { type Db, run, statement } from './db.ts'
import { whereOf } from './external.ts'
import { bool, bytea, float8, nullable } from './shape.ts'
import { sqlState } from './sql-state.ts'

// A standby answers a list when all of these hold: it has everything that the primary had half a second ago; this process has not been notified
// of a change in the project for two seconds; and the browser has saved nothing for two seconds. So people always see their own changes and
// those they were notified of.
//
// A worker of a Citus cluster answers like a standby that never lags: it reads the shards that the coordinator has written.

const pollMilliseconds = 100
/** How far a standby may lag; less than the time live.ts allows for a page's first read. */
const staleMilliseconds = 500
/** How long only the primary answers after a change. */
export const settleSeconds = 2

export interface Replicas {
  /** A standby that may answer a list of this project now; `answered` counts the answer and passes it on. */
  for(organizationId: number, projectId: number): { db: Db; answered: <T>(answer: T) => T } | undefined
  noteChange(organizationId: number, projectId: number): void
  /** The number of standbys that could answer now. */
  readonly fresh: number
  /** The number of lists they have answered. */
  readonly answered: number
  close(): Promise<void>
}

interface Replica {
  db: Db
  where: string
  /** It has all that was committed before this moment, by `performance.now()`. */
  asOf: number
  isAway: boolean
}

const writtenStatement = statement({ position: float8 }, `select (pg_current_wal_lsn() - '0/0')::float8 as position`)
const isWorker = `not pg_is_in_recovery() and to_regclass('pg_catalog.pg_dist_local_group') is not null`
const replayedStatement = statement(
  { position: nullable(float8), worker: bool },
  `select (pg_last_wal_replay_lsn() - '0/0')::float8 as position, ${isWorker} as worker`,
)
const usableStatement = statement({ usable: bool }, `select pg_is_in_recovery() or ${isWorker} as usable`)
const secretStatement = statement({ secret: bytea }, 'select secret from installation')

/** Opens the standbys of DATABASE_REPLICA_URL; refuses a server that is not a standby of this primary. An unreachable standby is used when it is back. */
export async function openReplicas(
  urls: readonly string[],
  primary: Db,
  options: { poolSize: number; prepare: boolean; report: (message: string, error?: unknown) => void },
): Promise<Replicas> {
  const replicas = urls.map(url => replicaAt(url, options))
  const close = () => Promise.all(replicas.map(({ db }) => db.destroy()))
  try {
    await Promise.all(replicas.map(replica => assertStandbyOf(primary, replica, options.report)))
  } catch (error) {
    await close()
    throw error
  }

  const changed = new Map<string, number>()
  let samples: { at: number; position: number }[] = []
  let turn = 0
  let answers = 0
  const count = <T>(answer: T) => {
    answers++
    return answer
  }
  const closing = new AbortController()

  async function poll() {
    const at = performance.now()
    const [sample] = await run(primary, writtenStatement, [])
    if (sample) samples.push({ at, position: sample.position })
    samples = samples.filter(each => each.at > at - 2 * staleMilliseconds)
    for (const [key, since] of changed) if (since < at - settleSeconds * 1000) changed.delete(key)
    await Promise.all(replicas.map(follow))
  }

  async function follow(replica: Replica) {
    try {
      const asked = performance.now()
      const [row] = await run(replica.db, replayedStatement, [])
      const has = row?.position ?? 0
      replica.asOf = row?.worker ? asked : (samples.findLast(({ position }) => position <= has)?.at ?? replica.asOf)
      if (replica.isAway) options.report(`The replica at ${replica.where} answers again`)
      replica.isAway = false
    } catch (error) {
      if (!replica.isAway) options.report(`The replica at ${replica.where} does not answer: lists are read from the primary`, error)
      replica.isAway = true
    }
  }

  async function watch() {
    while (!closing.signal.aborted) {
      await poll().catch(() => {}) // the primary is unreachable: no standby counts as fresh
      await sleep(pollMilliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const watching = watch()
  const isFresh = ({ asOf, isAway }: Replica) => !isAway && performance.now() - asOf <= staleMilliseconds

  return {
    for(organizationId, projectId) {
      const since = changed.get(`${organizationId},${projectId}`)
      if (since !== undefined && performance.now() - since < settleSeconds * 1000) return undefined
      const fresh = replicas.filter(isFresh)
      const chosen = fresh[turn++ % fresh.length]
      return chosen && { db: chosen.db, answered: count }
    },
    noteChange(organizationId, projectId) {
      changed.set(`${organizationId},${projectId}`, performance.now())
    },
    get fresh() {
      return replicas.filter(isFresh).length
    },
    get answered() {
      return answers
    },
    async close() {
      closing.abort()
      await Promise.race([watching, sleep(3000, undefined, { ref: false })])
      await close()
    },
  }
}

function replicaAt(url: string, { poolSize, prepare }: { poolSize: number; prepare: boolean }): Replica {
  return { db: connect({ connectionString: url }, { poolSize, prepare }), where: whereOf(url), asOf: -Infinity, isAway: false }
}

/** Throws OperatorError when an address of DATABASE_REPLICA_URL cannot be right, as far as that can be seen before the first migration. */
export async function assertReplicas(urls: readonly string[], primary: Db) {
  const replicas = urls.map(url => replicaAt(url, { poolSize: 1, prepare: false }))
  try {
    await Promise.all(replicas.map(replica => assertStandbyOf(primary, replica, () => {})))
  } finally {
    await Promise.all(replicas.map(({ db }) => db.destroy()))
  }
}

async function assertStandbyOf(primary: Db, replica: Replica, report: (message: string, error?: unknown) => void) {
  const secretOf = async (db: Db) => (await run(db, secretStatement, []))[0]?.secret
  // An empty database has none.
  const own = await secretOf(primary).catch(error => {
    if (sqlState(error) !== '42P01') throw error
  })
  try {
    const [found] = await run(replica.db, usableStatement, [])
    if (!found?.usable)
      throw new OperatorError(`DATABASE_REPLICA_URL: ${replica.where} is no standby: give the address of a replica of DATABASE_URL.`)
    if (own && !(await secretOf(replica.db))?.equals(own))
      throw new OperatorError(`DATABASE_REPLICA_URL: ${replica.where} holds another installation: give a replica of DATABASE_URL.`)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    replica.isAway = true
    report(`DATABASE_REPLICA_URL: ${replica.where} does not answer; lists are read from the primary until it does`, error)
  }
}
