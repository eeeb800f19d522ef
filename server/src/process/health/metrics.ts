import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { poolOf } from '../../db/connections/connect.ts'
import { type Db, queryRows } from '../../db/db.ts'
import type { Replicas } from '../../db/replicas.ts'
import { bool, float8 } from '../../db/shape.ts'
import { jobCounts } from '../../lib/background/job-queue.ts'
import { notFound } from '../../lib/failure.ts'
import { isSameSecret } from '../../lib/same-secret.ts'
import { lastCleanUp } from '../../storage/clean-up.ts'
import type { System } from '../system.ts'
import { createAggregator, metricsOfAllWorkers } from '../workers.ts'
import { isStorageUp } from './health.ts'
import { callName, signInOutcome } from './request-log.ts'

let processMetrics: Registry | undefined

/** Memory, CPU, event loop and garbage collection: one of each per process, however many applications a test builds. */
function ofProcess() {
  if (!processMetrics) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics, prefix: 'tessera_' })
  }
  return processMetrics
}

/** Counts every answer of the application, in the registry it returns. */
export function countRequests(app: FastifyInstance) {
  const registry = new Registry()
  const duration = new Histogram({
    name: 'tessera_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by call and status.',
    labelNames: ['call', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  const signIns = new Counter({
    name: 'tessera_sign_ins_total',
    help: 'Attempts to sign in: accepted, refused, throttled, or with a right password and an organization to choose.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe({ call: callName(request), status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    const outcome = signInOutcome(request, reply)
    if (outcome) signIns.inc({ outcome })
    done()
  })
  return registry
}

// Values that are the same in every worker are not summed.
const aggregator = 'max'

function showDatabase(db: Db, registers: Registry[]) {
  const pool = poolOf(db)
  new Gauge({
    name: 'tessera_database_connections',
    help: 'Connections of the pool by what they do, and requests that wait for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'tessera_database_up',
    aggregator,
    help: '1 when the database answers.',
    registers,
    async collect() {
      this.set(
        await sql`select 1`.execute(db).then(
          () => 1,
          () => 0,
        ),
      )
    },
  })
}

/** What this process knows without asking the database. */
function showNow(registers: Registry[], name: string, help: string, read: () => number, aggregator: 'sum' | 'min' = 'sum') {
  new Gauge({
    name,
    help,
    aggregator,
    registers,
    collect() {
      this.set(read())
    },
  })
}

/** The same for what only grows. */
function showTotal(registers: Registry[], name: string, help: string, read: () => number) {
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

function showReplicas(replicas: Replicas, registers: Registry[]) {
  showNow(registers, 'tessera_replicas_fresh', 'Replicas that may answer lists at this moment.', () => replicas.fresh)
  showTotal(registers, 'tessera_replica_answers_total', 'Lists that replicas have answered.', () => replicas.answered)
}

function showLive({ live }: System, registers: Registry[]) {
  showNow(registers, 'tessera_live_streams', 'Pages that listen for changes.', () => live.streams)
  const hearing = '0 while the connection that listens for changes is broken.'
  showNow(registers, 'tessera_live_hearing', hearing, () => (live.isHearing ? 1 : 0), 'min')
  const failures = 'Changes that were not sent or not delivered at first, and attempts to listen that failed.'
  showTotal(registers, 'tessera_live_failures_total', failures, () => live.failures)
}

function showBackups(db: Db, registers: Registry[]) {
  new Gauge({
    name: 'tessera_backup_timestamp_seconds',
    aggregator,
    help: 'When the newest backup was finished, and when a restore was last proven; 0 is never.',
    labelNames: ['event'] as const,
    registers,
    async collect() {
      const [last] = await queryRows(db, { finished: float8, proven: float8 })`
        select coalesce(extract(epoch from max(finished_at) filter (where error is null)), 0)::float8 as finished,
          coalesce(extract(epoch from max(proven_at)), 0)::float8 as proven from backup_run`.catch(() => [])
      if (!last) return
      this.set({ event: 'finished' }, last.finished)
      this.set({ event: 'proven' }, last.proven)
    },
  })
  new Gauge({
    name: 'tessera_backup_problem',
    aggregator,
    help: '1 when the newest backup failed, lacks files, or could not be proven for want of space.',
    registers,
    async collect() {
      const [last] = await queryRows(db, { problem: bool })`
        select error is not null or warning is not null as problem from backup_run where finished_at is not null or error is not null
        order by id desc limit 1`.catch(() => [])
      this.set(last?.problem ? 1 : 0)
    },
  })
}

function showStorage(system: System, registers: Registry[]) {
  new Gauge({
    name: 'tessera_storage_up',
    aggregator: 'min',
    help: "1 when the storage of attachments answers and is this database's.",
    registers,
    async collect() {
      this.set((await isStorageUp(system)) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'tessera_storage_files',
    aggregator,
    help: 'Files of attachments at the last clean-up: kept, in the bin, refused because too many belong to no attachment, missing.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      this.reset()
      const last = await lastCleanUp(system.db).catch(() => null)
      if (!last) return
      this.set({ state: 'kept' }, last.files - last.moved)
      this.set({ state: 'bin' }, last.bin)
      this.set({ state: 'refused' }, last.refused)
      this.set({ state: 'missing' }, last.missing)
    },
  })
}

function showJobs(db: Db, registers: Registry[]) {
  new Gauge({
    name: 'tessera_jobs',
    aggregator,
    help: 'Background jobs by name: waiting, and given up for good.',
    labelNames: ['job', 'state'] as const,
    registers,
    async collect() {
      this.reset()
      for (const { name, waiting, failed } of await jobCounts(db).catch(() => [])) {
        this.set({ job: name, state: 'waiting' }, waiting)
        this.set({ job: name, state: 'failed' }, failed)
      }
    },
  })
}

/** `/metrics` for Prometheus; with TESSERA_METRICS_TOKEN only for requests with that bearer token. */
export function serveMetrics(app: FastifyInstance, system: System, registry: Registry) {
  const registers = [registry]
  showDatabase(system.db, registers)
  if (system.replicas) showReplicas(system.replicas, registers)
  showLive(system, registers)
  showBackups(system.db, registers)
  showStorage(system, registers)
  showJobs(system.db, registers)
  if (cluster.isWorker) {
    createAggregator()
    AggregatorRegistry.setRegistries([ofProcess(), registry])
  }
  app.get('/metrics', { schema: { hide: true }, exposeHeadRoute: true }, async (request, reply) => {
    if (!mayRead(system.config.metricsToken, request.headers.authorization)) throw notFound()
    const all = Registry.merge([ofProcess(), registry])
    const text = cluster.isWorker ? await metricsOfAllWorkers() : await all.metrics()
    return reply.type(all.contentType).header('cache-control', 'no-store').send(text)
  })
}

function mayRead(token: string | undefined, header: string | undefined) {
  return token === undefined || isSameSecret(`Bearer ${token}`, header ?? '')
}
