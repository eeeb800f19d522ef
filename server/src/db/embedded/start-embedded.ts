import { closeSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../operator-error.ts'
import { type Account, openFor } from './account.ts'
import { binariesFor } from './binaries.ts'
import type { Connection } from './connection.ts'
import { assertDatabaseIn, usableDirectory } from './data-directory/directory.ts'
import { initialize, passwordFile, superuser } from './data-directory/initialize.ts'
import { freePort } from './process/free-port.ts'
import { type LauncherLock, lockForLauncher } from './process/launcher-lock.ts'
import { type LogFile, openLog } from './process/log-file.ts'
import { findPostmaster, removeForeignPidFile, stopPostmaster } from './process/postmaster.ts'
import { removeSocketDirectory, socketDirectoryFor, socketPort } from './process/socket-directory.ts'
import { exitInUse, startWatched } from './process/watchdog.ts'
import { assertDurable, productSettings, type Settings, throwAwaySettings } from './settings.ts'

export interface EmbeddedOptions {
  /** Will contain `postgres` (the data), `postgres.log` and lock files. */
  directory: string
  /** Whether a missing directory or database is created, as on first use; true unless given. */
  create?: boolean
  /** Added to the product's own settings, which they override. */
  settings?: Settings
  /** False for throw-away test data only: nothing is forced to disk. */
  durable?: boolean
}

export interface Embedded {
  connection: Connection
  /** The directory used: not the one asked for when `notice` is set. */
  directory: string
  dataDirectory: string
  /** For the console, when root's directory had to be replaced by one below /var/lib/tessera. */
  notice: string | null
  /** A server that an earlier, killed node left running was stopped first. */
  tookOver: boolean
  /** Resolves when the server has stopped, for whatever reason. */
  exited: Promise<{ expected: boolean; reason: string }>
  /** Closes open connections, shuts down, resolves when the server has stopped; safe to call twice. */
  stop(): Promise<void>
}

/** Starts the bundled PostgreSQL on a directory. Throws OperatorError with one line for the operator. */
export async function startEmbedded({
  directory: wanted,
  create = true,
  settings = {},
  durable = true,
}: EmbeddedOptions): Promise<Embedded> {
  if (!create) assertDatabaseIn(wanted)
  const place = usableDirectory(wanted)
  const lock = lockForLauncher(place.directory, place.account)
  try {
    const binaries = binariesFor(place.account, place.directory)
    await initialize(place.dataDirectory, { binaries, account: place.account, durable })
    const leftover = findPostmaster(place.dataDirectory)
    if (leftover) await stopPostmaster(leftover.pid, place.dataDirectory)
    const chosen = { ...productSettings, ...(durable ? {} : throwAwaySettings), ...settings }
    const server = await launch({ ...place, lock, program: binaries.postgres, settings: chosen })
    if (durable) {
      await assertDurable(server.connection).catch(async error => {
        await server.stop()
        throw error
      })
    }
    const { directory, dataDirectory, notice } = place
    return { directory, dataDirectory, notice, tookOver: leftover !== null, ...server }
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Launch {
  directory: string
  dataDirectory: string
  account: Account
  lock: LauncherLock
  program: string
  settings: Settings
}

async function launch({
  directory,
  dataDirectory,
  account,
  lock,
  program,
  settings,
}: Launch): Promise<Pick<Embedded, 'connection' | 'exited' | 'stop'>> {
  const address = await addressFor(dataDirectory, account)
  if (!lock.byKernel) removeForeignPidFile(dataDirectory)
  const log = openLog(path.join(directory, 'postgres.log'), account)
  const lockDescriptor = lock.byKernel ? openFor(account, path.join(directory, 'postgres.lock')) : null
  const child = startWatched({
    command: [
      program,
      '-D',
      dataDirectory,
      ...Object.entries({ ...settings, ...address.settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    account,
    dataDirectory,
    socketDirectory: address.connection.host,
    logDescriptor: log.descriptor,
    lockDescriptor,
  })
  log.close()
  if (lockDescriptor !== null) closeSync(lockDescriptor)

  const stopCutting = log.keepSmall()
  let stopping: Promise<void> | undefined
  let running = true
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const exited = ended.then(async reason => {
    // A watchdog that was killed alone leaves the server behind without a guard.
    const orphan = findPostmaster(dataDirectory)
    if (orphan) await stopPostmaster(orphan.pid, dataDirectory)
    running = false
    stopCutting()
    removeSocketDirectory(address.connection.host, dataDirectory)
    lock.release()
    return { expected: stopping !== undefined, reason }
  })
  const pid = await untilReady({ dataDirectory, directory, log, running: () => running, exitCode: () => child.exitCode })
  // From here on the server does not keep node alive, and stops when node exits.
  child.unref()
  for (const stream of child.stdio) if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  return {
    connection: address.connection,
    exited,
    stop: () => {
      stopping ??= (async () => {
        child.ref()
        await stopPostmaster(pid, dataDirectory, 10_000)
        await exited
      })()
      return stopping
    },
  }
}

async function addressFor(dataDirectory: string, account: Account): Promise<{ connection: Connection; settings: Settings }> {
  const identity = { user: superuser, database: 'postgres' }
  if (process.platform !== 'win32') {
    const host = socketDirectoryFor(dataDirectory, account)
    const settings = {
      listen_addresses: '',
      unix_socket_directories: quoted(host),
      unix_socket_permissions: '0700',
      port: String(socketPort),
    }
    return { connection: { host, port: socketPort, ...identity }, settings }
  }
  const [host, port] = ['127.0.0.1', await freePort()]
  const password = readFileSync(passwordFile(dataDirectory), 'utf8').trim()
  return { connection: { host, port, ...identity, password }, settings: { listen_addresses: host, port: String(port) } }
}

/** The setting is a list: a comma in the path would split it. */
function quoted(folder: string) {
  return `"${folder.replaceAll('"', '""')}"`
}

interface Starting {
  dataDirectory: string
  directory: string
  log: LogFile
  running(): boolean
  exitCode(): number | null
}

/** Without a time limit: replaying the log after a crash takes as long as it takes. */
async function untilReady({ dataDirectory, directory, log, running, exitCode }: Starting) {
  while (running()) {
    const postmaster = findPostmaster(dataDirectory)
    if (postmaster?.ready) return postmaster.pid
    await sleep(8)
  }
  if (exitCode() === exitInUse) {
    throw new OperatorError(`${dataDirectory} is still in use by a PostgreSQL of another container or account: stop that one first.`)
  }
  throw new OperatorError(
    `The bundled PostgreSQL did not start (${log.lastComplaint() ?? `exit code ${exitCode()}`}): see ${path.join(directory, 'postgres.log')}`,
  )
}
