import type pg from 'pg'

/** A client in pipeline mode. */
export interface PipelineClient extends pg.PoolClient {
  connection: pg.Connection
  /** Whether PostgreSQL has answered this statement on this connection before. */
  knows(text: string): boolean
}
interface Pipeline {
  readonly client: PipelineClient
  readonly giveBack: () => void
  /** Statements on their way, and those among them that this connection has not seen before. */
  open: number
  readonly firsts: Set<string>
  isCorked: boolean
  /** Since `tidy` looked. */
  isUsed: boolean
}

/** Statements on their way over one connection at most. */
const depth = 8
const tooManyConnections = '53300'

/**
 * Connections over which short reads go one behind the other, without waiting for the answer to the one before (PostgreSQL's pipeline mode): what comes in
 * one turn of the event loop is sent in one piece, and a backend that is busy need not be woken.
 */
export class Pipelines {
  readonly #pool: pg.Pool
  readonly #lent: Pipeline[] = []
  #opening = 0
  #isEnding = false

  /** Of `pool`, whose clients are in pipeline mode, a connection is borrowed as long as it is used. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** The answer, or undefined when no pipeline can take the statement now: it needs a connection of its own then. */
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult | undefined> | undefined {
    const shortest = this.#shortest()
    if (shortest?.open !== 0 && this.#lent.length + this.#opening < this.#pool.options.max) return this.#open(text, values)
    return shortest && this.#send(shortest, text, values)
  }

  #shortest() {
    let shortest = this.#lent[0]
    for (const each of this.#lent) if (each.open < (shortest as Pipeline).open) shortest = each
    return shortest
  }

  async #open(text: string, values: readonly unknown[]): Promise<pg.QueryResult | undefined> {
    this.#opening++
    let client: PipelineClient
    try {
      client = await lend<PipelineClient>(this.#pool)
    } catch (error) {
      if ((error as pg.DatabaseError).code !== tooManyConnections) throw error
      const shortest = this.#shortest()
      return shortest && this.#send(shortest, text, values)
    } finally {
      this.#opening--
    }
    const pipeline: Pipeline = {
      client,
      giveBack: () => this.#giveBack(pipeline),
      open: 0,
      firsts: new Set(),
      isCorked: false,
      isUsed: true,
    }
    client.once('error', pipeline.giveBack)
    this.#lent.push(pipeline)
    return this.#send(pipeline, text, values)
  }

  #send(pipeline: Pipeline, text: string, values: readonly unknown[]) {
    if (pipeline.open >= depth) return undefined
    const isFirst = !pipeline.client.knows(text)
    // Until its first is answered nobody knows whether the name stands for it.
    if (isFirst && pipeline.firsts.has(text)) return undefined
    if (isFirst) pipeline.firsts.add(text)
    cork(pipeline)
    return this.#answer(pipeline, text, values, isFirst)
  }

  async #answer(pipeline: Pipeline, text: string, values: readonly unknown[], isFirst: boolean) {
    pipeline.open++
    pipeline.isUsed = true
    try {
      return await pipeline.client.query(text, values as unknown[])
    } finally {
      pipeline.open--
      if (isFirst) pipeline.firsts.delete(text)
      if (this.#isEnding && pipeline.open === 0) pipeline.giveBack()
    }
  }

  #giveBack(pipeline: Pipeline) {
    const place = this.#lent.indexOf(pipeline)
    if (place < 0) return
    this.#lent.splice(place, 1)
    pipeline.client.off('error', pipeline.giveBack)
    pipeline.client.release()
  }

  /** Gives back the connections that were not used since the last time. */
  tidy() {
    for (const pipeline of [...this.#lent]) {
      if (pipeline.open === 0 && !pipeline.isUsed) pipeline.giveBack()
      pipeline.isUsed = false
    }
  }

  /** Resolves when what is on its way is answered and the connections are closed. */
  end() {
    this.#isEnding = true
    for (const pipeline of [...this.#lent]) if (pipeline.open === 0) pipeline.giveBack()
    return this.#pool.end()
  }
}

/** What is sent in this turn of the event loop goes as one. */
function cork(pipeline: Pipeline) {
  if (pipeline.isCorked) return
  pipeline.isCorked = true
  const { stream } = pipeline.client.connection
  stream.cork()
  setImmediate(() => {
    pipeline.isCorked = false
    stream.uncork()
  })
}

/** With a promise that the driver makes, what the request held survives in memory for long. */
export function lend<Client extends pg.PoolClient>(pool: pg.Pool) {
  return new Promise<Client>((resolve, reject) => pool.connect((error, client) => (client ? resolve(client as Client) : reject(error))))
}
