import pg from 'pg'

interface Shared {
  readonly client: Promise<pg.PoolClient>
  /** Statements in flight. */
  open: number
}

/** Maximum number of statements in flight per connection. */
const depth = 8
/** PostgreSQL has no connection left. */
export const tooManyConnections = '53300'

/**
 * Connections that send short reads without waiting for the previous answer (the driver's pipeline mode). Each is checked out of the pool
 * when needed, and released when nothing is in flight.
 */
export class SharedConnections {
  readonly #pool: pg.Pool
  #connections: Shared[] = []

  /** `pool` has clients in pipeline mode. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Undefined when no connection can take the statement now. */
  async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult | undefined> {
    const shared = this.#choose()
    if (shared.open >= depth) return undefined
    shared.open++
    try {
      return await (await shared.client).query(text, [...values])
    } catch (error) {
      if ((error as pg.DatabaseError).code === tooManyConnections) return undefined
      if (!(error instanceof pg.DatabaseError)) this.#forget(shared)
      throw error
    } finally {
      if (--shared.open === 0) {
        this.#forget(shared)
        shared.client.then(
          client => client.release(),
          () => {},
        )
      }
    }
  }

  /** An idle connection if there is one, otherwise the one with the fewest statements: a stuck one soon has the most. */
  #choose(): Shared {
    if (this.#connections.length === this.#pool.options.max)
      return this.#connections.reduce((least, each) => (each.open < least.open ? each : least))
    const shared = { client: this.#pool.connect(), open: 0 }
    this.#connections.push(shared)
    return shared
  }

  #forget(shared: Shared) {
    this.#connections = this.#connections.filter(each => each !== shared)
  }
}
