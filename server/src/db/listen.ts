import pg from 'pg'
import { sessionsOf } from './connections/connect.ts'
import type { Db } from './db.ts'

interface ListenOptions {
  onMessage: (payload: string) => void
  /** Listening again after a break: messages may have been missed. */
  onResume: () => void
  /** The connection broke, or another attempt at it failed. */
  onBroken: (error: unknown) => void
}

/** Listens on a dedicated connection, and reconnects with growing pauses when that breaks. */
export function listen(db: Db, channel: string, { onMessage, onResume, onBroken }: ListenOptions) {
  const pool = sessionsOf(db)
  let isClosed = false
  let client: pg.Client | undefined
  let pause = 100
  let timer: NodeJS.Timeout | undefined
  let attempts = 0
  const started = Promise.withResolvers<void>()

  async function open() {
    let mine: pg.Client | undefined
    let isOver = false
    const again = (error?: unknown) => {
      if (isOver) return
      isOver = true
      clearInterval(probe)
      mine?.end().catch(() => {})
      if (isClosed) return
      onBroken(error ?? new Error('The connection that listens ended'))
      timer = setTimeout(open, pause)
      pause = Math.min(pause * 2, 5000)
    }
    // A silent network is noticed only by a query, which has a time-out.
    const probe = setInterval(() => mine?.query('select 1').catch(again), 30_000)
    probe.unref()
    try {
      // Reads the file of `sslrootcert`, which may be missing just now.
      mine = new pg.Client({ ...pool.options, query_timeout: 6500 } as pg.ClientConfig)
      client = mine
      mine.on('error', again)
      mine.on('end', () => again())
      mine.on('notification', ({ payload = '' }) => onMessage(payload))
      await mine.connect()
      await mine.query(`listen ${mine.escapeIdentifier(channel)}`)
      pause = 100
      if (attempts++ > 0) onResume()
      started.resolve()
    } catch (error) {
      attempts++
      again(error)
    }
  }
  void open()

  return {
    /** Resolves when the first LISTEN is active. */
    started: started.promise,
    async close() {
      isClosed = true
      clearTimeout(timer)
      started.resolve()
      await client?.end().catch(() => {})
    },
  }
}
