import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Db, run, statement } from '../../../db/db.ts'
import { sqlState } from '../../../db/sql-state.ts'
import { whenGone } from '../../../http/costly-calls.ts'
import { withoutSilenceLimit } from '../../../http/silence.ts'
import { Failure } from '../../../lib/failure.ts'
import { feedStatement } from '../../../lib/proofs.ts'
import { addressBuckets, countFailure } from '../../../lib/throttle.ts'
import type { System } from '../../../process/system.ts'
import { readAddress } from '../feed-address.ts'
import type { Feed } from './fed-tickets.ts'
import { feedText } from './feed-text.ts'

// The address of a feed is not a call of the contract: calendar programs read it without cookie or token.

const path = '/calendar-feed/'
const privacy = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' }

export function serveCalendarFeeds(app: FastifyInstance, system: System) {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: `${path}*`,
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.headers(privacy)
      const text = await withoutSilenceLimit(request.raw.socket, system.config.silenceSeconds, () => textAt(system, request, reply))
      if (text !== undefined) return answerText(request, reply, text)
      // Only here, so that nobody can shut out others behind the same network address: calendar services read many people's feeds.
      await countFailure(system.db, addressBuckets(request.ip, 'calendar-feed'))
      return sendNoFeed(reply)
    },
  })
}

/** Whether a calendar program asked for it: also when the rest of the address cannot be read, such as `%ff`. */
export function isFeedAddress(url: string) {
  return url.startsWith(path)
}

/** What a calendar program is told about an address without a calendar. */
export function sendNoFeed(reply: FastifyReply) {
  return reply
    .code(404)
    .headers({ ...privacy, 'x-content-type-options': 'nosniff' })
    .type('text/plain; charset=utf-8')
    .send('There is no calendar at this address.\n')
}

/** The calendar at the requested address; undefined if there is none, or its owner may not read it. */
async function textAt(system: System, request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) {
  const { db } = system
  const address = readAddress(request.params['*'])
  const feed = address && (await provenFeed(db, address))
  if (!feed) return undefined
  request.actor = feed
  try {
    const text = await system.feedInTurn(
      feed.userId,
      async hasWaited => {
        // The rights may have ended during the wait.
        const now = hasWaited ? await provenFeed(db, address) : feed
        return now && (await feedText(system, now))
      },
      whenGone(reply),
    )
    if (text !== undefined && feed.stale) await noteFetch(db, feed)
    return text
  } catch (problem) {
    // The owner has lost the project since the proof.
    if (problem instanceof Failure && problem.code === 'not_found') return undefined
    throw problem
  }
}

async function provenFeed(db: Db, { organizationId, tokenHash }: { organizationId: number; tokenHash: Buffer }): Promise<Feed | undefined> {
  const [row] = await run(db, feedStatement, [organizationId, tokenHash])
  return row && { ...row, organizationId }
}

/** 304 if the program has this text already. */
function answerText(request: FastifyRequest, reply: FastifyReply, text: string) {
  const etag = `W/"${hash('sha256', text, 'base64url')}"`
  reply.header('etag', etag)
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type('text/calendar; charset=utf-8').send(text)
}

async function noteFetch(db: Db, { organizationId, id }: Feed) {
  // Reads must work while the disk is full.
  await run(db, fetchedStatement, [organizationId, id]).catch(error => {
    if (sqlState(error) !== '53100') throw error
  })
}
const fetchedStatement = statement({}, 'update calendar_feed set fetched_at = now() where organization_id = $1 and id = $2')
