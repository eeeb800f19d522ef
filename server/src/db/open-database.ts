import type { Config } from '../config.ts'
import { connect, type Db } from './db.ts'

/** The database the settings name: an external one, or the bundled PostgreSQL, started and stopped with this process. */
export async function openDatabase(config: Config): Promise<{ db: Db; close: () => Promise<void> }> {
  if (config.databaseUrl === undefined) throw new Error('The bundled PostgreSQL is not here yet: set DATABASE_URL.')
  const db = connect({ connectionString: config.databaseUrl }, { poolSize: config.databasePool, prepare: config.databasePrepare })
  return { db, close: async () => {} }
}
