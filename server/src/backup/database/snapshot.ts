import type pg from 'pg'
import type { Connection } from '../../db/connections/connect.ts'
import { openClient } from './tables.ts'

/**
 * Begins a transaction with a consistent snapshot of the database. On a Citus cluster each server has its own snapshot. While they are taken, writes to
 * the tables that are on all servers are blocked, so that no row of an organization refers to one that the first server did not have yet. An
 * organization's rows are on one server, so its snapshot is consistent.
 */
export async function beginSnapshot(client: pg.Client, connection: Connection) {
  const begin = () => client.query('begin isolation level repeatable read read only')
  const shared = await sharedTables(client)
  if (shared.length === 0) return begin()
  const locker = await openClient(connection)
  try {
    await locker.query('begin')
    await locker.query(`lock table ${shared.join(', ')} in share mode`)
    await begin()
    // Reaches every server, over the same connection from which the other tables are read later.
    await client.query('select count(*) from project')
  } finally {
    await locker.end()
  }
}

async function sharedTables(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query(`select 1 where to_regclass('pg_catalog.pg_dist_partition') is not null`)
  if (found.length === 0) return []
  const { rows } = await client.query<{ name: string }>(`
    select logicalrelid::text as name from pg_catalog.pg_dist_partition where repmodel = 't' order by 1`)
  return rows.map(({ name }) => name)
}
