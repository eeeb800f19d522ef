import pg from 'pg'
import { OperatorError } from '../../operator-error.ts'
import type { Connection } from './connection.ts'

/** PostgreSQL settings by name, as in postgresql.conf. */
export type Settings = Record<string, string>

/**
 * How the product's statements are planned on any PostgreSQL. With the defaults, it compiles statements that run for milliseconds, which may take
 * seconds, and reads whole tables instead of indexes that are in memory.
 */
export const planning: Settings = { jit: 'off', random_page_cost: '1.1' }

/** The product's PostgreSQL settings; the size of the shared buffers comes from the configuration (memory.ts). */
export const productSettings: Settings = {
  max_connections: '60',
  ...planning,
  // After a bulk load, queries are planned for the new data within 10 s instead of a minute.
  autovacuum_naptime: '10s',
  wal_compression: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %q%a ',
  log_checkpoints: 'off',
}

/** For throw-away test data: a crash of the machine destroys it. */
export const throwAwaySettings: Settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/** Refuses a server that is configured to acknowledge a commit before it is durable. */
export async function assertDurable(connection: Connection) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']
    const { rows } = await client.query<{ name: string }>(
      `select name from pg_settings where name = any($1) and setting <> 'on' order by name`,
      [names],
    )
    if (rows.length === 0) return
    throw new OperatorError(
      `The bundled PostgreSQL runs with ${rows.map(row => `${row.name} = off`).join(', ')}, which can lose or damage data: ` +
        'remove that from postgresql.conf, postgresql.auto.conf and ALTER ROLE (checksums are switched on by pg_checksums --enable).',
    )
  } finally {
    await client.end()
  }
}
