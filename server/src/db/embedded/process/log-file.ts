import { closeSync, copyFileSync, openSync, readFileSync, readSync, statSync, truncateSync } from 'node:fs'
import { type Account, openFor } from '../account.ts'

const largest = 4 * 1024 * 1024
const checkEvery = 60_000

export interface LogFile {
  /** Open for appending: writers continue at the new end after the file was truncated. */
  descriptor: number
  close(): void
  /** The last line since opening in which PostgreSQL said why it ended. */
  lastComplaint(): string | null
  /** Checks the size every minute until the returned function is called. */
  keepSmall(): () => void
}

/** PostgreSQL's log: at most two files of about 4 MiB, `postgres.log` and the older `postgres.log.1`. */
export function openLog(file: string, account: Account): LogFile {
  cutWhenLarge(file)
  const descriptor = openFor(account, file)
  const start = statSync(file).size
  return {
    descriptor,
    close: () => closeSync(descriptor),
    lastComplaint: () => {
      const lines = tail(file, start).split('\n')
      return lines.findLast(line => /(FATAL|PANIC):|error while loading|not found/.test(line))?.replace(/^.*?(FATAL|PANIC): +/, '') ?? null
    },
    keepSmall: () => {
      const timer = setInterval(() => cutWhenLarge(file), checkEvery).unref()
      return () => clearInterval(timer)
    },
  }
}

/** Copies and empties instead of renaming: the server keeps the file open. */
export function cutWhenLarge(file: string, limit = largest) {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= limit) return
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}

function tail(file: string, start: number) {
  const size = statSync(file).size
  if (size < start) return readFileSync(file, 'utf8')
  const buffer = Buffer.alloc(Math.min(size - start, 64 * 1024))
  const descriptor = openSync(file, 'r')
  readSync(descriptor, buffer, 0, buffer.length, size - buffer.length)
  closeSync(descriptor)
  return buffer.toString('utf8')
}
