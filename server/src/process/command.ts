import { existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Config, readConfig } from '../config.ts'
import type { Db } from '../db/db.ts'
import { nameOf } from '../db/embedded/account.ts'
import { isInstalled } from '../db/embedded/data-directory/directory.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { appliedMigrations, migrate, problemOfSchema } from '../db/schema/migrate.ts'
import { OperatorError } from '../operator-error.ts'
import { requireRoom } from './health/disk-space.ts'

/** The size of a new database with its log, rounded up; 43 MB when this was measured. */
const newDatabase = 64 * 2 ** 20

/** The settings of an operator's command: those of the server, with the resolved data directory. */
export interface CommandContext extends OpenDatabase {
  config: Config
}

/**
 * Runs an operator's command on the database of the settings: the one a running server has open, or the bundled one, started for as long as
 * the command takes.
 */
export async function onDatabase<T>(
  work: (context: CommandContext) => Promise<T>,
  { schema = 'current', mayInstall = false }: { schema?: 'current' | 'any'; mayInstall?: boolean } = {},
): Promise<T> {
  const settings = readConfig()
  requireOwnDirectory(settings.data)
  if (mayInstall) await requireRoomToInstall(settings)
  if (!mayInstall && settings.databaseUrl === undefined && !isInstalled(settings.data))
    throw new OperatorError(`There is no installation in ${settings.data}: set TESSERA_DATA (or DATABASE_URL) as for the server.`)
  const database = await openDatabase({ ...settings, databasePool: 4 }, { join: true, onWait, noTimeLimits: true })
  try {
    if (database.notice) console.error(database.notice)
    if (schema === 'current') await migrateUnlessShared(database, mayInstall)
    return await work({ ...database, config: { ...settings, data: database.data } })
  } finally {
    await database.close()
  }
}

function onWait() {
  console.error('Another command uses the bundled PostgreSQL: waiting until it is done.')
}

/** The organizations with these ids; without ids the only one, or an empty list if there is none yet. */
export async function chosenOrganizations(db: Db, ids: readonly string[]) {
  const all = await db.selectFrom('organization').select(['id', 'title']).orderBy('id').execute()
  if (ids.length === 0 && all.length <= 1) return all
  if (all.length === 0) throw noOrganization()
  const more = all.length > 20 ? ', …' : ''
  const list = `${all
    .slice(0, 20)
    .map(({ id, title }) => `${id} (${title})`)
    .join(', ')}${more}`
  if (ids.length === 0) throw new OperatorError(`Choose one with --organization: ${list}.`)
  return [...new Set(ids)].map(id => {
    const found = all.find(organization => String(organization.id) === id)
    if (!found) throw new OperatorError(`There is no organization ${id}: there are ${list}.`)
    return found
  })
}

export function noOrganization() {
  return new OperatorError('There is no organization yet: start the server and open the set-up address that it prints.')
}

/**
 * Throws OperatorError for a data directory that is a file, or another user's: what root writes there, that user's server can neither read nor
 * replace.
 */
export function requireOwnDirectory(data: string) {
  if (isFile(data)) throw new OperatorError(`TESSERA_DATA: ${data} is a file: give the path of a directory.`)
  if (process.getuid?.() !== 0) return
  // An empty directory may have been mounted for a container that runs as root.
  const isFilled = existsSync(data) && readdirSync(data).length > 0
  const ours = [path.join(data, 'attachments'), path.join(data, 'backups'), ...(isFilled ? [data] : [])].find(existsSync)
  const uid = ours ? statSync(ours).uid : 0
  if (uid === 0) return
  const owner = nameOf(uid)
  const account = owner === String(uid) ? `'#${uid}'` : owner
  throw new OperatorError(`The files in ${data} belong to ${owner}: run this as that user (sudo -u ${account} …).`)
}

/** Throws OperatorError when there is no room for the bundled database of a new installation. */
export async function requireRoomToInstall({ data, databaseUrl }: Config) {
  if (databaseUrl !== undefined || isInstalled(data)) return
  let place = data
  // On Windows the drive itself may be missing.
  while (!existsSync(place) && place !== path.dirname(place)) place = path.dirname(place)
  const space = await statfs(place).catch(() => null)
  // The kernel makes up the files of /proc and /sys: there are no blocks to store anything in.
  if (space?.blocks === 0) throw new OperatorError(`TESSERA_DATA: ${data} is on no disk: give the path of a directory on one.`)
  await requireRoom(place, newDatabase).catch(error => {
    throw new OperatorError(`TESSERA_DATA: for a new database, ${error.message}`)
  })
}

function isFile(place: string) {
  try {
    return !statSync(place).isDirectory()
  } catch {
    return false
  }
}

/** Migrates the database unless a server may be using it: no server uses an empty one. */
async function migrateUnlessShared({ db, shared }: OpenDatabase, mayInstall: boolean) {
  if (!shared || (mayInstall && (await appliedMigrations(db)).size === 0)) return void (await migrate(db))
  const problem = await problemOfSchema(db)
  if (problem !== undefined) throw new OperatorError(problem)
}
