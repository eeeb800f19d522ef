import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type PrometheusContentType } from 'prom-client'
import type { Connection } from '../db/connections/connect.ts'

// TESSERA_WORKERS: the first process owns the database, migrations, jobs and backups; the workers share its port and answer requests.

const variable = 'TESSERA_WORKER_PLACE'

/** What the first process decided for all. */
export interface Place {
  connection: Connection
  data: string
  port: number
  publicUrl: string
}

/** In a worker: what the first process decided. */
export function placeOfWorker(): Place | null {
  const text = process.env[variable]
  return cluster.isWorker && text !== undefined ? (JSON.parse(text) as Place) : null
}

/** Starts the workers and replaces dead ones; resolves when all of them listen. */
export async function startWorkers(count: number, place: Place, report: (message: string) => void) {
  const aggregator = createAggregator()
  let isStopping = false
  let pause = 100
  async function keepOne(): Promise<void> {
    const worker = cluster.fork({ [variable]: JSON.stringify(place) })
    answerMetrics(worker, aggregator)
    const ended = new Promise<string>(resolve => worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)))
    const isListening = await Promise.race([new Promise(resolve => worker.once('listening', () => resolve(true))), ended.then(() => false)])
    if (!isListening && !isStopping) throw new Error('A worker process ended before it listened.')
    pause = 100
    void ended.then(async reason => {
      while (!isStopping) {
        report(`A worker process ended (${reason}); starting another`)
        await sleep(pause)
        pause = Math.min(pause * 2, 30_000)
        if (
          await keepOne().then(
            () => true,
            () => false,
          )
        )
          return
      }
    })
  }
  await Promise.all(Array.from({ length: count }, keepOne))
  return {
    /** Each worker finishes its requests. */
    async stop() {
      isStopping = true
      const workers = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
      await Promise.all(
        workers.map(worker => {
          worker.process.kill('SIGTERM')
          return new Promise(resolve => worker.once('exit', resolve))
        }),
      )
    },
  }
}

type Aggregator = ReturnType<typeof createAggregator>

/** Needed in every process: in a worker it answers the first process's requests for metrics. */
export function createAggregator() {
  return new AggregatorRegistry<PrometheusContentType>()
}

interface MetricsMessage {
  tesseraMetrics: string
  text?: string
}

function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof (message as MetricsMessage | null)?.tesseraMetrics === 'string'
}

function answerMetrics(worker: Worker, aggregator: Aggregator) {
  worker.on('message', async (message: unknown) => {
    if (!isMetricsMessage(message)) return
    const text = await aggregator.clusterMetrics().catch(() => '')
    if (worker.isConnected()) worker.send({ tesseraMetrics: message.tesseraMetrics, text })
  })
}

/** The sum over all workers, requested from the first process. */
export function metricsOfAllWorkers(): Promise<string> {
  const id = randomUUID()
  const { promise, resolve } = Promise.withResolvers<string>()
  const onMessage = (message: unknown) => {
    if (isMetricsMessage(message) && message.tesseraMetrics === id) resolve(message.text ?? '')
  }
  process.on('message', onMessage)
  process.send?.({ tesseraMetrics: id } satisfies MetricsMessage)
  return Promise.race([promise, sleep(4000, '', { ref: false })]).finally(() => process.off('message', onMessage))
}
