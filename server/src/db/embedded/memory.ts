import { totalmem } from 'node:os'
import { OperatorError } from '../../operator-error.ts'

const mebibyte = 2 ** 20
const smallest = 16 * mebibyte

/** Memory that this process may use, in bytes: the container's limit where there is one, otherwise the machine's. */
export function machineMemory(): number {
  // Without a limit, constrainedMemory() answers 0 or a number beyond any machine.
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** The shared buffers of the bundled PostgreSQL in bytes: an eighth of the machine's memory, at least 128 MB, at most 1 GB. */
export function defaultDatabaseMemory(machine = machineMemory()): number {
  return Math.min(Math.max(Math.floor(machine / 8), 128 * mebibyte), 1024 * mebibyte)
}

/**
 * What a sort or a hash may take in bytes before it goes to disk: 4 MB, PostgreSQL's own default, and more where the shared buffers are larger, up to
 * 32 MB. A bitmap scan that finds 100,000 of a million tickets needs 8 MB.
 */
export function workMemory(databaseMemory: number): number {
  return Math.min(Math.max(Math.floor(databaseMemory / 32), 4 * mebibyte), 32 * mebibyte)
}

/**
 * Bytes of a setting such as `512MB` or `2GB` (as in PostgreSQL, 1 MB is 1,048,576 bytes).
 * Throws an OperatorError for another form, for less than 16 MB and for more than half of the machine's memory.
 */
export function parseDatabaseMemory(value: string, machine = machineMemory()): number {
  const [, amount, unit] = /^(\d{1,6})\s*(MB|GB)$/i.exec(value.trim()) ?? []
  const bytes = Number(amount) * mebibyte * (unit?.toUpperCase() === 'GB' ? 1024 : 1)
  const largest = Math.floor(machine / 2)
  if (bytes >= smallest && bytes <= largest) return bytes
  throw new OperatorError(
    `TESSERA_DATABASE_MEMORY is '${value}': give an amount from 16MB to ${Math.floor(largest / mebibyte)}MB, half of this machine's memory.`,
  )
}
