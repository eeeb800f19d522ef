import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Account } from '../../src/db/embedded/account.ts'
import type { Connection } from '../../src/db/embedded/connection.ts'
import { isAlive } from '../../src/db/embedded/process/launcher-lock.ts'
import { type EmbeddedOptions, startEmbedded } from '../../src/db/embedded/start-embedded.ts'
import { roomiestParent } from './database-cluster.ts'

export const isRoot = process.getuid?.() === 0
export const isLinux = process.platform === 'linux'

/** A folder every account may enter, deleted when the test ends. */
export function temporaryDirectory(parent = roomiestParent()) {
  const folder = mkdtempSync(path.join(parent, 'tessera-embedded-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

/** Makes the folder one in which a first start got no further than initdb. */
export function copyInitialized(folder: string) {
  execFileSync('cp', ['-a', inject('initialized'), path.join(folder, 'postgres')])
}

/** Such a folder with the data of a first start that got no further than initdb, for what begins after it. */
export function initializedDirectory() {
  const folder = temporaryDirectory()
  copyInitialized(folder)
  return folder
}

/** Like startEmbedded, stopped when the test ends. */
export async function started(options: EmbeddedOptions) {
  const server = await startEmbedded(options)
  onTestFinished(() => server.stop())
  return server
}

/** Waits for the start to fail and returns the message. */
export async function refusal(options: EmbeddedOptions) {
  try {
    await started(options)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('PostgreSQL started although it should have refused')
}

export async function query(connection: Connection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

interface Started {
  connection: Connection
  dataDirectory: string
  notice: string | null
  tookOver: boolean
  uid: number
  error?: string
}

interface ChildOptions {
  task?: string
  account?: Account
  script?: string
  env?: NodeJS.ProcessEnv
}

/** Another node process with a PostgreSQL of its own; it is stopped when the test ends. */
export async function startChild(
  directory: string,
  {
    task = '',
    account = null,
    script = path.join(import.meta.dirname, 'embedded-child.ts'),
    env = { PATH: process.env.PATH },
  }: ChildOptions = {},
) {
  const child = spawn(process.execPath, [script, directory, task], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  onTestFinished(() => ended(child, 'SIGTERM'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = (await lines.next()).value as string
  let last = 0
  return {
    child,
    started: JSON.parse(first) as Started,
    /** Reads until the child has reported so many acknowledged rows. */
    async untilAcknowledged(rows: number) {
      while (last < rows) last = Number((await lines.next()).value)
    },
    /** Its output until it died. */
    async lastAcknowledged() {
      for (let line = await lines.next(); !line.done; line = await lines.next()) last = Number(line.value)
      return last
    },
  }
}

export async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill(signal)
  await exit
}

export function postmasterPid(dataDirectory: string) {
  return Number(readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0])
}

export function parentPid(pid: number) {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

export function childPids(pid: number) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

/** False also for a process that ended and whose parent does not ask: pid 1 of a container often does not. */
export function isRunning(pid: number) {
  if (!isLinux) return isAlive(pid)
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Milliseconds until the process has ended. */
export async function untilGone(pid: number, timeout: number) {
  const start = performance.now()
  while (isRunning(pid)) {
    if (performance.now() - start > timeout) throw new Error(`process ${pid} still lives after ${timeout} ms`)
    await sleep(5)
  }
  return Math.round(performance.now() - start)
}
