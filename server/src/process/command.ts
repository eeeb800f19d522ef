import { type Config, readConfig } from '../config.ts'
import { isMigrated, migrate } from '../db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { OperatorError } from '../operator-error.ts'

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
  { schema = 'current' }: { schema?: 'current' | 'any' } = {},
): Promise<T> {
  const settings = readConfig()
  const database = await openDatabase({ ...settings, databasePool: 4 }, { join: true, noTimeLimits: true })
  try {
    if (database.notice) console.error(database.notice)
    if (schema === 'current') await bringUpToDate(database)
    return await work({ ...database, config: { ...settings, data: database.data } })
  } finally {
    await database.close()
  }
}

/** Migrates the database unless a server is using it. */
async function bringUpToDate({ db, shared }: OpenDatabase) {
  if (!shared) await migrate(db)
  else if (!(await isMigrated(db).catch(() => false)))
    throw new OperatorError('The database has the schema of another version: start the server, or run tessera migrate.')
}
