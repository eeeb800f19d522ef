const connectionBroken = '08006'
/** A Citus cluster moved the rows to another server, or into another shard, while the statement ran. */
export const rowsMoved = 'CIINF'

/** What the driver says, without a code, when there is no connection or it breaks. */
const withoutConnection =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|driver has already been destroyed|calling end on the pool/
/** The codes of Node.js for a host that cannot be reached. */
const unreachable = /^E(CONN|PIPE|NOTFOUND|TIMEDOUT|AI_AGAIN|HOST|NET)/
/** What Citus says with an unspecific SQLSTATE, and the one that it means. */
const statesOfCitus = [
  {
    code: 'XX000',
    state: connectionBroken,
    said: /^(failure on connection marked as essential|SSL SYSCALL error|server closed the connection|connection not open)/,
  },
  { code: '58030', state: connectionBroken, said: /^failed to COPY to shard/ },
  { code: 'XX000', state: rowsMoved, said: /^could not find valid entry for shard/ },
]

/** The SQLSTATE of a database error; '08006' for a broken connection; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  const { code, message = '', syscall } = (error ?? {}) as { code?: unknown; message?: string; syscall?: string }
  if (typeof code !== 'string') return error instanceof Error && withoutConnection.test(message) ? connectionBroken : undefined
  const ofCitus = statesOfCitus.find(each => each.code === code && each.said.test(message))
  if (ofCitus) return ofCitus.state
  if (unreachable.test(code)) return connectionBroken
  // The socket of a database that is not running. For a file, ENOENT means something else.
  if (code === 'ENOENT' && syscall === 'connect') return connectionBroken
  return /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Not a defect of the statement: the database is busy or unreachable, or has just refused the first use of the statement (26000). A retry may succeed. */
export function isBusyOrAway(error: unknown) {
  return sqlState(error) === rowsMoved || /^(26000|40001|40P01|55P03|57014|53|57P|08|25P0)/.test(sqlState(error) ?? '')
}
