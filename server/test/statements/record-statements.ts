import { poolOf } from '../../src/db/connections/connect.ts'
import type { Db } from '../../src/db/db.ts'

/** A statement as it was sent. */
export interface Sent {
  text: string
  values: readonly unknown[]
}

/** Records the statements of a pool between `start()` and `stop()`. Call it before the pool opens a connection. */
export function recordStatements(db: Db) {
  let sent: Sent[] = []
  let isRecording = false
  poolOf(db).on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((text: string, values: unknown[], ...rest: unknown[]) => {
      if (isRecording) sent.push({ text, values: values ?? [] })
      return query(text, values, ...rest)
    }) as typeof client.query
  })
  return {
    start() {
      sent = []
      isRecording = true
    },
    stop() {
      isRecording = false
      return sent
    },
  }
}
