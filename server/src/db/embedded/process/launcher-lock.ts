import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../../operator-error.ts'
import { type Account, openFor } from '../account.ts'

export interface LauncherLock {
  /** False if there is no flock program or the file system cannot lock: then only the process id protects the directory. */
  byKernel: boolean
  /** Safe to call twice. */
  release(): void
}

/**
 * One living node process per directory. The flock belongs to the open file that this process keeps, so the kernel releases it
 * however the process ends; process ids prove nothing across containers or after reuse.
 */
export function lockForLauncher(directory: string, account: Account): LauncherLock {
  const file = path.join(directory, 'tessera.lock')
  const descriptor = openFor(account, file)
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] })
  if (status === 0) {
    ftruncateSync(descriptor)
    writeSync(descriptor, String(process.pid))
    return { byKernel: true, release: once(() => closeSync(descriptor)) }
  }
  closeSync(descriptor)
  if (status === 1) throw inUse(directory, file)
  const holder = Number(readFileSync(file, 'utf8'))
  if (holder && isAlive(holder)) throw inUse(directory, file)
  writeFileSync(file, String(process.pid))
  return { byKernel: false, release: once(() => rmSync(file, { force: true })) }
}

export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function once(action: () => void) {
  let done = false
  return () => {
    if (!done) action()
    done = true
  }
}

function inUse(directory: string, file: string) {
  return new OperatorError(
    `${directory} is already in use by another Tessera (process ${readFileSync(file, 'utf8') || 'unknown'}): stop that one, or set TESSERA_DATA to another directory.`,
  )
}
