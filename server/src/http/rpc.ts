import type { Call } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { events } from '@tessera/contract/projects/live'
import { shapeOf } from '@tessera/contract/shapes'
import { attachmentDownload, attachmentUpload } from '@tessera/contract/tickets/attachments'
import { exportTickets } from '@tessera/contract/tickets/search'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { type Db, forLongTransaction, sqlState } from '../db/db.ts'
import { authorizeReading, authorizeSession, type Credentials, type SessionScope, type TicketScope } from '../lib/authorize.ts'
import { Failure } from '../lib/failure.ts'
import { inTransaction, retrying } from '../lib/transaction.ts'
import type { System } from '../process/system.ts'
import { isCostly, isThrottled, whenGone } from './costly-calls.ts'
import { requireOrigin, requireSameOrigin } from './csrf.ts'
import { sendFailure } from './failures.ts'
import { claim, idempotencyKeyOf, once } from './idempotency.ts'
import type { Handler } from './implement.ts'
import { bodyLimitOf } from './json/json-body.ts'
import { JsonText } from './json/json-text.ts'
import { credentialsOf, hasJustWritten, markWriter } from './session-cookie.ts'
import { withoutSilenceLimit } from './silence.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call
  }
  interface FastifyRequest {
    /** Set where 403 is intended: no live session. */
    sessionGone?: boolean
  }
}

/**
 * One route for each call. The order is fixed and tested: session → origin and CSRF → size and media type → schema →
 * visibility → permission → rules → write. The session and the caller's rights are proved in one statement just before the handler;
 * a refusal by an earlier step is answered only after the session has been proved (`sendFailure`).
 */
export function register(app: FastifyInstance, system: System, handlers: Handler[]) {
  const headers = answerHeaders(system.config)
  for (const handler of handlers) {
    const { call } = handler
    if (call === attachmentUpload) continue // in upload.ts: its body is not JSON
    const isFile = isFileCall(handler)
    // A stream of events is silent until something happens.
    const silenceSeconds = call === events ? 0 : system.config.silenceSeconds
    const { summary, request: input, response } = shapeOf(call)
    app.route({
      method: call.method,
      url: call.path,
      config: { call },
      exposeHeadRoute: false,
      schema: {
        summary,
        ...(call.method === 'POST' ? { body: input } : { querystring: input }),
        ...(isFile ? {} : { response: { 200: response } }),
      },
      ...(isFile ? { compress: false } : {}),
      ...(call.method === 'POST' ? takeBody(system, call) : {}),
      onRequest: (request, reply, done) => {
        if (!isFile) reply.headers(headers)
        try {
          beforeBody(system, call, request)
          done()
        } catch (error) {
          done(error as Error)
        }
      },
      handler: (request, reply) => withoutSilenceLimit(request.raw.socket, silenceSeconds, () => answer(system, handler, request, reply)),
    } as Parameters<FastifyInstance['route']>[0])
  }
}

function answerHeaders({ secure }: Config) {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** Answers an address that the router cannot read: such a request reaches no route, no hook and no error handler. */
export function refuseAddress(config: Config) {
  const headers = answerHeaders(config)
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    sendFailure(new Failure('invalid', 'The address of the request is not valid'), request, reply.headers(headers))
  }
}

/** Whether the call's answer is not JSON. */
export function isFileCall({ call }: Handler) {
  return call === attachmentDownload || call === exportTickets || call === events
}

/** The size limit of the call. A body above the general limit is read only with a proved session. */
function takeBody(system: System, call: Call) {
  const bodyLimit = bodyLimitOf(call)
  if (bodyLimit === limits.body || call.access === 'public') return { bodyLimit }
  return {
    bodyLimit,
    preParsing: async (request: FastifyRequest) => {
      // Without a Content-Length this is NaN, and the session is proved.
      if (Number(request.headers['content-length']) <= limits.body) return
      await authorizeSession(system.db, credentialsOf(system.config, request), system.config.session)
    },
  }
}

/** Refuses what the headers alone show to be wrong. */
export function beforeBody(system: System, call: Call, request: FastifyRequest) {
  if (call.access !== 'public' && credentialsOf(system.config, request) === null) throw new Failure('session', 'No live session')
  if (call.method === 'POST') requireSameOrigin(system, request)
  else if (call.kind === 'mutation') requireOrigin(system, request)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw new Failure('media_type', 'Send the body without Content-Encoding')
}

/** Proves, runs and answers one call. */
export async function answer(
  system: System,
  { call, before, read, handle, opensNoTransaction, mayUseReplica, takesLong }: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
  given?: unknown,
) {
  const input = (given ?? (call.method === 'POST' ? request.body : request.query)) as Record<string, never>
  const credentials = call.access === 'public' ? null : credentialsOf(system.config, request)
  const key = call.idempotent ? idempotencyKeyOf(request.headers['idempotency-key']) : undefined
  const early = await before?.({ db: system.db, input, system, request, reply })
  let proved: Partial<TicketScope> | null = null
  let toldAll = call.tells === undefined
  const run = async (db: Db, from = db, hasTurn = false): Promise<unknown> => {
    const claimed = credentials && key !== undefined ? await claim(db, credentials, key, call.path, input) : undefined
    const reading = read?.(input, hasTurn)
    const proof = await authorizeReading(db, { call, credentials, limits: system.config.session, input }, reading, from)
    const { scope } = proof
    const prepared = (read ? proof.read : early) as never
    proved = scope
    if (scope !== null) request.actor = scope
    const tellEverybody = () => {
      toldAll = true
    }
    const context = { db: from, scope, input, system, request, reply, prepared, tellEverybody }
    const isRead = proof.read !== undefined && !reading?.needsTurn?.(proof.read)
    if (isCostly(call, input) && scope !== null && !isRead && !hasTurn)
      return system.inTurn(
        (scope as unknown as SessionScope).userId,
        hasWaited => (hasWaited || reading ? run(db, from, true) : handle(context)),
        whenGone(reply),
      )
    if (!claimed) return handle(context)
    return once(db, scope as unknown as SessionScope, claimed, () => handle(context))
  }
  if (call.kind === 'query') {
    const replica = mayUseReplica && credentials ? replicaFor(system, request, credentials, input) : undefined
    // If the standby finds nothing, the primary is asked.
    const askPrimary = (error: unknown) => (isThrottled(error) ? Promise.reject(error) : run(system.db))
    const found = await (replica ? run(system.db, replica.db).then(replica.answered, askPrimary) : run(system.db))
    if (!(found instanceof JsonText)) return found
    reply.type('application/json; charset=utf-8')
    return found.text
  }
  if (system.isDiskFull()) throw new Failure('unavailable', 'The disk of the server is full: nothing can be saved until there is space')
  const db = takesLong ? forLongTransaction(system.db) : system.db
  const answering = opensNoTransaction && key === undefined ? retrying(() => run(db)) : inTransaction(db, run)
  const answered = await (takesLong ? answering.catch(refuseTooMuch) : answering)
  publishChange(system, call, proved, toldAll)
  if (system.replicas) markWriter(system.config, reply)
  if (answered instanceof Failure) throw answered
  return answered
}

/** A statement that was stopped after 100 s is not tried again: the next one would be stopped too. */
function refuseTooMuch(error: unknown): never {
  const isStopped = sqlState(error) === '57014'
  throw isStopped
    ? new Failure(
        'rule',
        'This would change too many tickets at once. Change some of them first: select them in the list, 10,000 at a time.',
      )
    : error
}

/** The standby for the read; none for a browser that has just saved, or that refetches after a live update. */
function replicaFor(
  { config, replicas }: System,
  request: FastifyRequest,
  credentials: Credentials,
  { idProject }: { idProject?: number },
) {
  if (!replicas || idProject === undefined || credentials.isBackground || hasJustWritten(config, request)) return undefined
  return replicas.for(credentials.organizationId, idProject)
}

/** After the commit: makes pages that show the project refetch, or only those of the caller. */
function publishChange({ live }: System, call: Call, scope: Partial<TicketScope> | null, toldAll: boolean) {
  if ((call.tells === 'nobody' && !toldAll) || scope?.organizationId === undefined || scope.projectId === undefined) return
  const { organizationId, projectId, ticketId, userId } = scope
  live.publish({ organizationId, projectId, ticketId, call, onlyUserId: toldAll ? undefined : userId })
}
