import { type Db, run, statement } from '../db/db.ts'
import { nothing } from '../db/shape.ts'
import { fold, type Message, payloadsOf } from './live-messages.ts'

export const channel = 'tessera_live'
const batchMilliseconds = 20
/** After a failure. */
const pauseMilliseconds = 1000
const notify = statement({ sent: nothing }, 'select pg_notify($1, payload) as sent from unnest($2::text[]) as payload')

/** Tells every process of changes, in batches. What could not be sent is sent again, folded, so that at most one message per project piles up. */
export function openOutbox(db: Db, { worked, failed }: { worked: () => void; failed: (error: unknown) => void }) {
  let waiting = new Map<string, Message>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function sendLater(message: Message, milliseconds: number) {
    waiting.set(message.join(), message)
    timer ??= setTimeout(flush, milliseconds)
  }

  async function flush() {
    timer = undefined
    const messages = fold([...waiting.values()])
    waiting = new Map()
    try {
      await run(db, notify, [channel, payloadsOf(messages)])
      worked()
    } catch (error) {
      failed(error)
      if (!isClosed) for (const message of messages) sendLater(message, pauseMilliseconds)
    }
  }

  return {
    add: (message: Message) => sendLater(message, batchMilliseconds),
    async close() {
      isClosed = true
      if (!timer) return
      clearTimeout(timer)
      await flush()
    },
  }
}
