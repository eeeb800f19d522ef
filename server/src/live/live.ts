import { PassThrough } from 'node:stream'
import type { Call } from '@tessera/contract/call'
import { type Db, run, statement } from '../db/db.ts'
import { listen } from '../db/listen.ts'
import { int8 } from '../db/shape.ts'
import type { Credentials, SessionLimits } from '../lib/authorize.ts'
import { openDeliveries } from './deliveries.ts'
import { type Message, shortMemory } from './live-messages.ts'
import { channel, openOutbox } from './outbox.ts'
import { type Reader, requireFewStreams, writeHeartbeat, writeReady, writeResync } from './reader.ts'

// A change is published after its commit, in batches, through NOTIFY on a connection of the pool: inside the business transaction
// NOTIFY would make all commits wait for each other. Every process listens and passes on what its own readers may see.

const heartbeatMilliseconds = 25_000
/** Allowance for network latency, added to the time that a page gives, in milliseconds. */
const latencyMilliseconds = 1000

interface Change {
  organizationId: number
  projectId: number
  ticketId?: number | undefined
  call: Call
  /** Nobody but this person learns of it. */
  onlyUserId?: number | undefined
}

export interface Live {
  /** Notifies every process with a short delay; never throws. */
  publish(change: Change): void
  /**
   * A stream of server-sent events for the session; 429 when it has too many. What changed in the `behind` milliseconds before comes first, as
   * events or as one `resync`.
   */
  subscribe(credentials: Credentials, userId: number, behind: number): Promise<PassThrough>
  /** Ends all streams and stops listening. */
  close(): Promise<void>
  /** Events that were not sent or not delivered at first, and breaks of the listening connection. */
  readonly failures: number
  /** False while the listening connection is broken. */
  readonly isHearing: boolean
  /** Streams open in this process. */
  readonly streams: number
}

const memberships = statement(
  { id: int8 },
  'select project_id as id from project_member where organization_id = $1 and user_id = $2 and permissions & 1 = 1',
)

/** `onChange` is called for every project that was changed by any process, from the start on. */
export function openLive(
  db: Db,
  limits: SessionLimits,
  report: (message: string, error?: unknown) => void,
  onChange?: (organizationId: number, projectId: number) => void,
): Live {
  const readers = new Set<Reader>()
  let listener: ReturnType<typeof listen> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let isClosed = false
  let failures = 0
  let isHearing = true
  let isFailing = false
  const recent = shortMemory()
  const outbox = openOutbox(db, { worked, failed })
  const { deliver, close: closeDeliveries } = openDeliveries(db, limits, readers, { worked, failed })

  /** Counts every failure; reports only the first and the recovery. */
  function failed(error: unknown) {
    failures++
    if (!isFailing && !isClosed) report('Changes do not reach open pages', error)
    isFailing = true
  }
  function worked() {
    if (isFailing) report('Changes reach open pages again')
    isFailing = false
  }

  function receive(payload: string) {
    let messages: Message[]
    try {
      messages = JSON.parse(payload)
    } catch (error) {
      return failed(error)
    }
    recent.add(messages)
    if (onChange) for (const [organizationId, projectId] of messages) onChange(organizationId, projectId)
    const byOrganization = Map.groupBy(messages, ([organizationId]) => organizationId)
    for (const [organizationId, of] of byOrganization) deliver(organizationId, of)
  }

  /** Sends a new reader what its page may have missed, because it read its data before it listened. */
  function catchUp(reader: Reader, since: number) {
    const seen = recent.since(since)
    if (!seen) return writeResync(reader)
    const missed = seen.filter(([organizationId]) => organizationId === reader.organizationId)
    if (missed.length > 0) deliver(reader.organizationId, missed, [reader])
  }

  function beat() {
    for (const [organizationId, audience] of Map.groupBy(readers, reader => reader.organizationId)) {
      for (const reader of audience) writeHeartbeat(reader)
      deliver(organizationId, [])
    }
  }

  function hear() {
    listener ??= listen(db, channel, {
      onMessage: receive,
      onResume: () => {
        isHearing = true
        worked()
        recent.clear()
        for (const reader of readers) writeResync(reader)
      },
      onBroken: error => {
        isHearing = false
        failed(error)
      },
    })
    return listener
  }
  if (onChange) hear()

  return {
    publish({ organizationId, projectId, ticketId = 0, call, onlyUserId }) {
      if (isClosed) return
      onChange?.(organizationId, projectId)
      const message: Message = [organizationId, projectId, ticketId, call.name]
      if (onlyUserId !== undefined) message.push(onlyUserId)
      outbox.add(message)
    },
    async subscribe({ organizationId, tokenHash }, userId, behind) {
      const since = performance.now() - behind - latencyMilliseconds
      const token = tokenHash.toString('hex')
      requireFewStreams(readers, token, userId)
      const reader: Reader = { organizationId, tokenHash, token, userId, stream: new PassThrough(), projects: new Set() }
      readers.add(reader)
      run(db, memberships, [organizationId, userId]).then(rows => {
        for (const { id } of rows) reader.projects.add(id)
      }, failed)
      reader.stream.once('close', () => readers.delete(reader))
      reader.stream.on('error', () => {})
      const { started } = hear()
      heartbeat ??= setInterval(beat, heartbeatMilliseconds).unref()
      reader.stream.write('retry: 2000\n\n')
      // What is committed after this line reaches the reader.
      void started.then(() => {
        recent.begin()
        if (behind > 0) catchUp(reader, since)
        writeReady(reader)
      })
      return reader.stream
    },
    async close() {
      isClosed = true
      clearInterval(heartbeat)
      await outbox.close()
      for (const { stream } of readers) stream.end()
      readers.clear()
      await closeDeliveries()
      await listener?.close()
    },
    get streams() {
      return readers.size
    },
    get failures() {
      return failures
    },
    get isHearing() {
      return isHearing
    },
  }
}
