import type { Call, Request } from '@tessera/contract/call'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { getCommentHistory, getTicketComments } from '@tessera/contract/tickets/comments'
import { findTickets } from '@tessera/contract/tickets/links'
import { exportTickets, searchTickets, suggestSearch } from '@tessera/contract/tickets/search'
import { getTicketHistory, getTicketList, queryTickets } from '@tessera/contract/tickets/tickets'
import type { FastifyReply } from 'fastify'
import type { Credentials } from '../lib/authorize.ts'
import { Failure } from '../lib/failure.ts'
import { fairTurns, limitPerKey } from '../lib/turns.ts'

/** Calls that may keep the database or the process busy for seconds, unless the statement that proves their scope reads what they need. */
const costlyCalls: ReadonlySet<Call> = new Set<Call>([
  exportTickets,
  findTickets,
  getCommentHistory,
  getProjectStatistics,
  getTicketComments,
  getTicketHistory,
  getTicketList,
  getViewList,
  previewBulkChange,
  queryBoard,
  queryTickets,
  searchTickets,
  suggestSearch,
])
export function isCostly(call: Call, input: unknown) {
  // Every list waits for the project's views; only counting their tickets takes long.
  if (call === getViewList && !(input as Request<typeof getViewList>).Counts) return false
  return costlyCalls.has(call)
}

const atOncePerPerson = 2
/** High, because a waiting call takes only some memory. */
const mostWaiting = 200

/** Costly work of a person takes turns within a process: a script of one member must leave connections and processors to the others. */
export function costlyTurns() {
  return limitPerKey(
    atOncePerPerson,
    mostWaiting,
    `Too many of your searches, exports, charts and long texts are waiting: at most ${atOncePerPerson} of these requests run at once`,
  )
}

const feedsAtOnce = 2
const refusedFeed = 'Too many calendar feeds are being read: ask again in some minutes'
/**
 * Programs read many people's feeds at the full hour. So feeds take turns apart from what their owners do: within a process one of each owner, and
 * two in all.
 */
export function feedTurns() {
  const ofOwner = limitPerKey(1, mostWaiting, refusedFeed)
  const ofAll = limitPerKey(feedsAtOnce, 10 * mostWaiting, refusedFeed)
  return <T>(ownerId: number, work: (hasWaited: boolean) => Promise<T>, gone?: AbortSignal) =>
    ofOwner(ownerId, hasWaited => ofAll(0, hasAlsoWaited => work(hasWaited || hasAlsoWaited), gone), gone)
}

/** As long as a call waits for a connection to the database. */
const longestWaitForChange = 3000
const mostPeople = 10_000

/**
 * The changes that people make wait for the process's connections to the database, and people take turns. A script of one member that saves on many
 * connections, most of which wait for the same lock, delays the next save of others by a few of its own.
 */
export function changeTurns(connections: number) {
  const tooMany = () => new Failure('unavailable', 'The database is busy, try again in a moment')
  // While half of them prove rights, which needs none of these connections, the others keep all of them busy.
  const ofPeople = fairTurns<number | string>(2 * connections, 10 * mostWaiting, longestWaitForChange, tooMany)
  /** Who had which session when it was last proved, so that several sessions of a person have no more turns. It gives no rights. */
  const people = new Map<string, number>()
  return async <T extends { scope: { userId?: number } | null }>({ tokenHash }: Credentials, work: () => Promise<T>) => {
    const token = tokenHash.toString('base64')
    const done = await ofPeople(people.get(token) ?? token, work)
    if (done.scope?.userId !== undefined) {
      if (people.size >= mostPeople) people.clear()
      people.set(token, done.scope.userId)
    }
    return done
  }
}

/** Aborted when the client closes the connection: a page that searches while somebody types drops the call for the previous letter. */
export function whenGone({ raw }: FastifyReply) {
  const gone = new AbortController()
  raw.once('close', () => gone.abort(new Failure('throttled', 'The page has not waited for the answer')))
  return gone.signal
}

/** The call was refused because too many wait, it waited too long, or the client is gone: asking again would not help. */
export function isThrottled(error: unknown) {
  return error instanceof Failure && error.code === 'throttled'
}
