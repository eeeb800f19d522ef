import type { Connection } from '../db/connections/connect.ts'
import { backupLock } from '../storage/clean-up.ts'
import { removeLeftovers } from './database/scratch.ts'
import { openClient } from './database/tables.ts'

/**
 * Runs `work` while no other process of this installation writes or proves a backup; returns null if one does. PostgreSQL releases the lock when
 * this process dies, so whoever holds it may remove what an interrupted proof left.
 */
export async function whileLocked<T>(connection: Connection, work: () => Promise<T>): Promise<T | null> {
  const client = await openClient(connection)
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [backupLock])
    if (!rows[0]?.mine) return null
    await removeLeftovers(client)
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}
