import { sql } from 'kysely'
import { inject } from 'vitest'
import { poolOf } from '../../src/db/connections/connect.ts'
import type { Db } from '../../src/db/db.ts'
import { administrationOf } from './databases.ts'

/**
 * How many sessions of this database wait for a lock. On a Citus cluster the lock of a row is on the server that has the row.
 *
 * Not those that commit a notification: they wait for notifying commits in any database of the server, so for other tests (event 'object').
 */
export async function lockWaits(db: Db) {
  const { database } = poolOf(db).options
  const counts = await Promise.all(
    inject('servers').map(async server => {
      const { rows } = await sql<{ waits: number }>`
        select count(*)::int as waits from pg_stat_activity
        where datname = ${database} and wait_event_type = 'Lock' and wait_event <> 'object'`.execute(administrationOf(server))
      return rows[0]?.waits ?? 0
    }),
  )
  return counts.reduce((sum, waits) => sum + waits, 0)
}
