import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionFault } from '../connection-fault.ts'
import { OperatorError } from '../operator-error.ts'

const oldest = 15
const unreachable = /^E(CONN|NOTFOUND|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT|ACCES)/

/** Throws a one-line error for the operator if a certificate or key that the address names cannot be read: the driver reads them for each client. */
export function requireReadableFiles(setting: string, databaseUrl: string) {
  try {
    void new pg.Client({ connectionString: databaseUrl })
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (path === undefined) throw error
    throw new OperatorError(`${setting}: the file ${path} cannot be read (${code}): correct the address, or let this user read it.`)
  }
}

/** Throws a one-line error for the operator unless the address is that of a usable PostgreSQL, or, with `mayBePooled`, of a PgBouncer. */
export async function assertUsable(databaseUrl: string, { setting = 'DATABASE_URL', mayBePooled = false, timeout = 30_000 } = {}) {
  const until = performance.now() + timeout
  for (;;) {
    const fault = await attempt(databaseUrl, mayBePooled)
    if (fault === undefined) return
    if (!fault.startsWith('starting') || performance.now() > until) throw new OperatorError(`${setting}: ${fault}`)
    await sleep(500)
  }
}

/**
 * Throws a one-line error for the operator unless both addresses lead to the same database: a lock that is taken through one is seen through the other.
 * Needs no rights, and works through a pooler of transactions.
 */
export async function assertSameDatabase(databaseUrl: string, directUrl: string) {
  const [pooled, direct] = [databaseUrl, directUrl].map(connectionString => new pg.Client({ connectionString })) as [pg.Client, pg.Client]
  for (const client of [pooled, direct]) client.on('error', () => {})
  const key = randomInt(2 ** 31)
  try {
    await Promise.all([pooled.connect(), direct.connect()])
    await pooled.query('begin')
    await pooled.query('select pg_advisory_xact_lock(0, $1)', [key])
    const { rowCount } = await direct.query(
      `select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1
        and database = (select oid from pg_database where datname = current_database())`,
      [key],
    )
    if (rowCount === 0) throw new OperatorError('DATABASE_DIRECT_URL leads to another database than DATABASE_URL: correct one of them.')
  } finally {
    await Promise.all([pooled, direct].map(client => client.end().catch(() => {})))
  }
}

/** For the console: what the user of a PgBouncer lacks, which accepts no settings with a connection; null if nothing. */
export async function lackOfPooledUser(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select lower(name) as name from pg_settings
        where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') and setting = '0'
          or name = 'TimeZone' and setting not in ('UTC', 'Etc/UTC')
          or name = 'jit' and setting = 'on' or name = 'random_page_cost' and setting = '4' order by name`,
    )
    if (rows.length === 0) return null
    return `DATABASE_URL leads through a PgBouncer, and its database user has no value of its own for ${rows.map(({ name }) => name).join(', ')}: set it with alter role (docs/scaling.md).`
  } finally {
    await client.end().catch(() => {})
  }
}

async function attempt(databaseUrl: string, mayBePooled: boolean): Promise<string | undefined> {
  // Detects a PgBouncer, which refuses settings that come with a connection.
  const options = mayBePooled ? {} : { options: '-c timezone=UTC' }
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000, ...options })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{
      version: string
      number: number
      standby: boolean
      readonly: string
      citus: boolean
      encoding: string
    }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        pg_is_in_recovery() as standby, current_setting('transaction_read_only') as readonly,
        to_regclass('pg_catalog.pg_dist_local_group') is not null as citus, current_setting('server_encoding') as encoding`,
    )
    const [server] = rows
    if (!server) return 'the server answers nothing: is it PostgreSQL?'
    if (server.number < oldest * 10_000)
      return `PostgreSQL ${server.version} is too old: Tessera needs ${oldest} or newer. Upgrade it, or leave DATABASE_URL out to use the bundled one.`
    if (server.standby || server.readonly === 'on') return 'the server is read-only (a standby?): give the address of the primary.'
    if (server.encoding !== 'UTF8')
      return `the encoding of the database is ${server.encoding}: create one with createdb --encoding UTF8 --template template0, and give its address.`
    const { rows: groups } = server.citus ? await client.query('select 1 from pg_dist_local_group where groupid <> 0') : { rows: [] }
    if (groups.length > 0) return 'the server is a worker of a Citus cluster: give the address of the coordinator.'
    return undefined
  } catch (error) {
    return faultOf(error as Error & { code?: string }, databaseUrl)
  } finally {
    await client.end().catch(() => {})
  }
}

/** What an address leads to, without its password: `host:port`, or `the socket /folder/.s.PGSQL.port`. The driver reads it, parameters included. */
export function whereOf(databaseUrl: string): string {
  const { host, port } = new pg.Client({ connectionString: databaseUrl })
  return host.startsWith('/') ? `the socket ${host}/.s.PGSQL.${port}` : `${host}:${port}`
}

function faultOf(error: Error & { code?: string }, databaseUrl: string): string {
  const where = whereOf(databaseUrl)
  const { user = 'this account', database = user } = new pg.Client({ connectionString: databaseUrl })
  if (error.code === '57P03') return `starting: PostgreSQL at ${where} is not ready yet; try again in a moment.`
  if (error.code === '28P01' || /password must be a (non-empty )?string|no password/i.test(error.message))
    return `PostgreSQL at ${where} refuses the password of user "${user}": correct it in the address (special characters percent-encoded).`
  if (error.code === '28000') {
    // An entry for TLS only looks like none to a client without it.
    const orTls = error.message.endsWith('no encryption') ? ', or, if it only lets TLS in, add sslmode=verify-full to the address' : ''
    return `PostgreSQL at ${where} does not let user "${user}" in (${error.message}): create this role with LOGIN, correct the name, or allow it in pg_hba.conf${orTls}.`
  }
  if (error.code === '3D000') return `the database "${database}" does not exist at ${where}: create it with createdb, or correct the name.`
  if (/unsupported startup parameter/.test(error.message))
    return `a PgBouncer answers at ${where}: set DATABASE_DIRECT_URL to the PostgreSQL behind it (docs/scaling.md).`
  if (error.code === '53300') return `PostgreSQL at ${where} has no connection left: raise max_connections, or lower DATABASE_POOL.`
  if (unreachable.test(error.code ?? '') || /timeout|terminated|ECONNREFUSED/i.test(error.message)) {
    return `nothing answers at ${where} (${error.code ?? error.message}): start PostgreSQL there, or correct host and port.`
  }
  if (/does not support SSL/i.test(error.message))
    return `PostgreSQL at ${where} does not offer TLS: switch it on there (ssl = on), or give sslmode=disable.`
  if (/certificate|altnames/i.test(error.message))
    return `the certificate of PostgreSQL at ${where} cannot be verified (${connectionFault(error.message)}): give the file of its authority with sslrootcert=FILE, or encrypt without verifying it with sslmode=no-verify.`
  return `PostgreSQL at ${where} cannot be used (${error.message}).`
}
