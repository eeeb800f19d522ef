import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './launcher-lock.ts'

interface Postmaster {
  pid: number
  ready: boolean
}

/** The running server process of this directory, by its pid file and checked against the process itself, because ids are reused. */
export function findPostmaster(dataDirectory: string): Postmaster | null {
  let lines: string[]
  try {
    lines = readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
  const pid = Number(lines[0])
  if (!(pid > 1) || !serves(pid, dataDirectory)) return null
  return { pid, ready: lines[7]?.trim() === 'ready' }
}

/** SIGINT shuts down cleanly but can hang while the server restarts after a crash; SIGQUIT and SIGKILL lose nothing: the log is replayed. */
export async function stopPostmaster(pid: number, dataDirectory: string, timeout = 3_000) {
  const steps = [['SIGINT', timeout] as const, ['SIGQUIT', 5_000] as const, ['SIGKILL', 2_000] as const]
  for (const [signal, milliseconds] of steps) {
    const until = performance.now() + milliseconds
    if (serves(pid, dataDirectory)) send(signal, pid)
    while (performance.now() < until) {
      if (!serves(pid, dataDirectory)) return
      await sleep(15)
    }
  }
}

/** Only where no lock proves that nobody uses the directory: otherwise PostgreSQL's own check refuses a pid that now is another program. */
export function removeForeignPidFile(dataDirectory: string) {
  const file = path.join(dataDirectory, 'postmaster.pid')
  if (!findPostmaster(dataDirectory)) rmSync(file, { force: true })
}

function send(signal: NodeJS.Signals, pid: number) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function serves(pid: number, dataDirectory: string) {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === dataDirectory
    if (process.platform === 'win32')
      return spawnSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8' }).stdout.includes('postgres')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(dataDirectory)
  } catch {
    return false
  }
}
