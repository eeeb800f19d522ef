import type { PassThrough } from 'node:stream'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { Failure } from '../lib/failure.ts'
import type { Message } from './live-messages.ts'

const streamsPerSession = 5
/** Open at once in one process, over all sign-ins of the person. */
const streamsPerPerson = 20
/** How much a reader may leave unread before its stream is ended; it then reconnects and refetches everything. */
const unreadBytes = 256 * 1024

/** An open stream of events. */
export interface Reader {
  organizationId: number
  tokenHash: Buffer
  token: string
  userId: number
  stream: PassThrough
  /** The projects that its pages may show; they get an event when one disappears. */
  projects: Set<number>
}

/** 429 when the session or the person already has too many streams. */
export function requireFewStreams(readers: ReadonlySet<Reader>, token: string, userId: number) {
  if ([...readers].filter(reader => reader.token === token).length >= streamsPerSession) {
    throw new Failure('throttled', 'Too many open pages listen for changes in this session', { retryAfterSeconds: 30 })
  }
  if ([...readers].filter(reader => reader.userId === userId).length >= streamsPerPerson) {
    throw new Failure('throttled', 'Too many open pages of yours listen for changes', { retryAfterSeconds: 30 })
  }
}

function write({ stream }: Reader, text: string) {
  if (text === '' || stream.writableEnded) return
  stream.write(text)
  if (stream.writableLength + stream.readableLength > unreadBytes) stream.destroy()
}

/** From here on the reader misses nothing. */
export function writeReady(reader: Reader) {
  write(reader, 'event: ready\ndata: {}\n\n')
}
/** Keeps the connection open. */
export function writeHeartbeat(reader: Reader) {
  write(reader, ': still here\n\n')
}
/** The reader may have missed something: it refetches everything. */
export function writeResync(reader: Reader) {
  write(reader, 'event: resync\ndata: {}\n\n')
}
/** The messages that are about these projects and meant for the reader. */
export function writeChanges(reader: Reader, messages: readonly Message[], visible: ReadonlySet<number>) {
  const events = messages
    .filter(([, projectId, , , only]) => visible.has(projectId) && (only === undefined || only === reader.userId))
    .map(([, idProject, idTicket, kind]) => {
      const event: LiveEvent = { idProject, ...(idTicket === 0 ? {} : { idTicket }), kind }
      return `event: change\ndata: ${JSON.stringify(event)}\n\n`
    })
  write(reader, events.join(''))
}
/** The session is over. */
export function writeEnd({ stream }: Reader) {
  if (!stream.writableEnded) stream.end('event: end\ndata: {}\n\n')
}
