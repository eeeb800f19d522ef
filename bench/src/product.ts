import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Connection } from '@tessera/server/db/embedded/connection'
import { runningServer } from '@tessera/server/db/embedded/running-server'

const ownCheckout = fileURLToPath(new URL('../..', import.meta.url))

/** The product as `npm start` runs it: production mode, in processes of its own, with its bundled PostgreSQL: durable, as shipped. */
export interface Product {
  url: string
  connection: Connection
  /** CPU used by server and database since their start, and their memory. */
  usage(): Usage
  stop(): Promise<void>
}
export interface Usage {
  serverCpuMs: number
  databaseCpuMs: number
  serverPss: number
  databasePss: number
}

export async function startProduct(data: string, settings: Record<string, string> = {}, checkout = ownCheckout): Promise<Product> {
  const log = path.join(data, 'server.log')
  const output = openSync(log, 'w')
  const { NODE_ENV: _environment, DATABASE_URL: _database, ...inherited } = process.env
  const child = spawn(process.execPath, [path.join(checkout, 'server/bin/tessera.mjs'), 'start'], {
    // Notices of saves are written as usual, but not mailed: that would happen a minute later, while another call is measured.
    env: {
      ...inherited,
      PORT: '0',
      TESSERA_DATA: data,
      TESSERA_BACKUP: '0',
      TESSERA_NOTIFICATION_SECONDS: '3600',
      ...settings,
    } as NodeJS.ProcessEnv,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const url = await addressOf(child, log)
  const running = runningServer(data)
  if (!running) {
    child.kill('SIGTERM')
    throw new Error(`no PostgreSQL runs in ${data}`)
  }
  return {
    url,
    connection: running.connection,
    usage: () => usageOf(child.pid as number),
    async stop() {
      if (hasEnded(child)) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** By itself, or by a signal. */
function hasEnded(child: ChildProcess) {
  return child.exitCode !== null || child.signalCode !== null
}

async function addressOf(child: ChildProcess, log: string) {
  for (;;) {
    const text = readFileSync(log, 'utf8')
    const address = /Tessera is ready at (\S+)/.exec(text)?.[1]
    if (address) return address.replace('localhost', '127.0.0.1')
    if (hasEnded(child)) throw new Error(`the server ended: ${text}`)
    await sleep(20)
  }
}

const ticksPerSecond = 100

/** From /proc, so on Linux only; zeros elsewhere. */
function usageOf(root: number): Usage {
  const usage: Usage = { serverCpuMs: 0, databaseCpuMs: 0, serverPss: 0, databasePss: 0 }
  if (process.platform !== 'linux') return usage
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(readStat)
  const family = new Set([root])
  for (let before = 0; before !== family.size; ) {
    before = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  for (const { pid, name, ticks, reaped } of all.filter(entry => family.has(entry.pid))) {
    // CPU of ended backends is in the postmaster's account of its children.
    const milliseconds = ((name === 'postgres' ? ticks + reaped : ticks) * 1000) / ticksPerSecond
    usage[name === 'postgres' ? 'databaseCpuMs' : 'serverCpuMs'] += milliseconds
    usage[name === 'postgres' ? 'databasePss' : 'serverPss'] += pssOf(pid)
  }
  return usage
}

function readStat(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (index: number) => fields[index] ?? 0
    return [{ pid: Number(pid), name, parent: at(1), ticks: at(11) + at(12), reaped: at(13) + at(14) }]
  } catch {
    return [] // ended meanwhile
  }
}

function pssOf(pid: number) {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
