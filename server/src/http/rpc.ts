import type { Call } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { events } from '@tessera/contract/projects/live'
import { shapeOf } from '@tessera/contract/shapes'
import { attachmentDownload, attachmentUpload } from '@tessera/contract/tickets/attachments'
import { exportTickets } from '@tessera/contract/tickets/search'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { authorizeSession } from '../lib/authorize.ts'
import { Failure } from '../lib/failure.ts'
import type { System } from '../process/system.ts'
import { answer } from './answer.ts'
import { requireOrigin, requireSameOrigin } from './csrf.ts'
import { sendFailure } from './failures.ts'
import type { Handler } from './implement.ts'
import { bodyLimitOf } from './json/json-body.ts'
import { credentialsOf } from './session-cookie.ts'
import { withoutSilenceLimit } from './silence.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call
  }
  interface FastifyRequest {
    /** Set where 403 is intended: no live session. */
    sessionGone?: boolean
    /** Set while a large body is read and checked. */
    endBodyTurn?: () => void
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
      schema: {
        summary,
        ...(call.method === 'POST' ? { body: input } : { querystring: input }),
        ...(!isFile && { response: { 200: response } }),
      },
      ...(isFile && { compress: false }),
      ...(call.method === 'POST' && takeBody(system, call)),
      onRequest: async (request, reply) => {
        if (!isFile) reply.headers(headers)
        beforeBody(system, call, request)
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

/** The size limit of the call. A body above the general limit is read only with a proved session, and in turn. */
function takeBody(system: System, call: Call) {
  const bodyLimit = bodyLimitOf(call)
  if (bodyLimit === limits.body || call.access === 'public') return { bodyLimit }
  return {
    bodyLimit,
    preParsing: async (request: FastifyRequest, reply: FastifyReply) => {
      // Without a Content-Length this is NaN, and the session is proved.
      if (Number(request.headers['content-length']) <= limits.body) return
      const { userId } = await authorizeSession(system.db, credentialsOf(system.config, request), system.config.session)
      request.endBodyTurn = await system.bodyInTurn(userId, reply)
    },
    preHandler: async (request: FastifyRequest) => request.endBodyTurn?.(),
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
