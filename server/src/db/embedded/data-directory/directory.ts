import { accessSync, chmodSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../../operator-error.ts'
import { type Account, accountFor, canEnter, nameOf } from '../account.ts'

const systemDirectory = '/var/lib/tessera'

interface UsableDirectory {
  /** The directory in use; another one than requested if `notice` is set. */
  directory: string
  dataDirectory: string
  account: Account
  /** For the console: where the data is instead, and why. */
  notice: string | null
}

/** Makes the directory, or as root one below /var/lib/tessera when PostgreSQL's account may not enter the folder around it. */
export function usableDirectory(wanted: string): UsableDirectory {
  const here = path.resolve(wanted)
  const account = accountFor(dataDirectoryOf(here))
  if (!account) return { ...made(here, 0o700), account, notice: null }

  const surroundings = nearestExisting(path.dirname(here))
  if (!statSync(surroundings).isDirectory())
    throw new OperatorError(`Cannot create ${here}: ${surroundings} is a file; set TESSERA_DATA to another directory.`)
  const hasData = existsSync(dataDirectoryOf(here))
  const elsewhere = path.join(systemDirectory, nameFor(here))
  if (!hasData && (existsSync(dataDirectoryOf(elsewhere)) || !canEnter(account, surroundings))) {
    const notice = `The account "${nameOf(account.uid)}" that runs PostgreSQL may not enter ${surroundings}: the data are in ${elsewhere} instead of ${here}`
    const place = made(elsewhere, 0o711)
    const owner = accountFor(place.dataDirectory)
    refuseClosed(owner, place.directory)
    return { ...place, account: owner, notice }
  }
  const place = made(here, 0o711)
  refuseClosed(account, place.directory)
  return { ...place, account, notice: null }
}

/** Whether there is a database for this directory. A place that this account may not read counts as one. */
export function isInstalled(wanted: string) {
  const here = path.resolve(wanted)
  const places = process.getuid?.() === 0 ? [here, path.join(systemDirectory, nameFor(here))] : [here]
  return places.some(place => {
    try {
      return statSync(dataDirectoryOf(place)).isDirectory()
    } catch (error) {
      return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    }
  })
}

/** Throws OperatorError unless the directory holds a database. */
export function assertDatabaseIn(directory: string) {
  const version = path.join(dataDirectoryOf(path.resolve(directory)), 'PG_VERSION')
  if (existsSync(version)) return
  throw new OperatorError(`The database in ${directory} has disappeared: mount the disk again, or stop Tessera and restore a backup.`)
}

function dataDirectoryOf(directory: string) {
  return path.join(directory, 'postgres')
}

/** A different name for each path: two clones must not share a database. */
function nameFor(directory: string) {
  return directory.slice(1).replaceAll('%', '%25').replaceAll('-', '%2d').replaceAll('/', '-')
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder))
}

function made(directory: string, mode: number) {
  try {
    for (const folder of [...ancestors(directory)].reverse()) if (!existsSync(folder)) makeFolder(folder, mode)
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new OperatorError(
      `Cannot write to ${directory} (${(error as NodeJS.ErrnoException).code}): make it a directory that this user may write to, or set TESSERA_DATA to another one.`,
    )
  }
  const real = realpathSync(directory)
  const data = dataDirectoryOf(real)
  // An operator may have put the data on another disk by a link.
  return { directory: real, dataDirectory: existsSync(data) ? realpathSync(data) : data }
}

/** One level, because `recursive` never ends if the parent exists and accepts no folders, as in /proc. */
function makeFolder(folder: string, mode: number) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  chmodSync(folder, mode)
}

function refuseClosed(account: Account, directory: string) {
  if (!account || canEnter(account, directory)) return
  const closed = [...ancestors(directory)].reverse().find(folder => !canEnter(account, folder)) ?? directory
  throw new OperatorError(
    `The account "${nameOf(account.uid)}" that runs PostgreSQL may not enter ${closed}: run chmod a+x ${closed}, or set TESSERA_DATA to another directory.`,
  )
}

function* ancestors(folder: string): Generator<string> {
  yield folder
  if (path.dirname(folder) !== folder) yield* ancestors(path.dirname(folder))
}
