import { attachmentDownload } from '@tessera/contract/tickets/attachments'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isBusyOrAway, sqlState } from '../db/sql-state.ts'
import { authorizeSession } from '../lib/authorize.ts'
import { Failure, notFound } from '../lib/failure.ts'
import type { System } from '../process/system.ts'
import { problemsOf } from './schemas/validation-words.ts'
import { credentialsOf } from './session-cookie.ts'

/** The one error handler. Fails closed: whatever is not a known refusal is a 500 that says nothing but its request id. */
export function handleErrors(app: FastifyInstance, system: System) {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    let failure = toFailure(error)
    const call = request.routeOptions.config.call
    const isEarly = failure.status === 400 || failure.status === 413 || failure.status === 415
    if (call && call.access !== 'public' && isEarly) failure = await sessionFirst(system, request, failure)
    // The client left before its compressed answer began.
    const hasLeft = error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed
    if (hasLeft) request.log.info('the client left')
    else if (failure.code === 'defect') request.log.error({ err: error }, 'defect')
    else if (failure.code === 'unavailable') request.log.warn({ err: error }, 'unavailable')
    else if (failure.code === 'not_permitted' || failure.code === 'not_found')
      request.log.info({ code: failure.code, call: call?.path, input: idsOf(request.body) }, 'refused')
    // Fastify would close the connection. Most clients read the answer only after they have sent everything, so the rest is received and dropped.
    if (failure.code === 'too_large') reply.removeHeader('connection')
    return sendFailure(failure, request, reply)
  })
  // Only a missing session may be answered 403, because the page then asks for the password.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 403 && !request.sessionGone) {
      request.log.error('an answer of 403 that is not about the session')
      reply.code(422)
    }
    done(null, payload)
  })
}

async function sessionFirst(system: System, request: FastifyRequest, failure: Failure): Promise<Failure> {
  try {
    await authorizeSession(system.db, credentialsOf(system.config, request), system.config.session)
    return failure
  } catch (error) {
    return toFailure(error as Error)
  }
}

export function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply) {
  reply.code(failure.status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  if (failure.status === 403) {
    request.sessionGone = true
    if (isOpenedByHand(request)) return sendPage(reply, 'Your session has ended. Sign in and open the file again.')
    return reply.send('{"auth":0}')
  }
  if (isOpenedByHand(request))
    return sendPage(reply, failure.status < 500 ? 'This file does not exist.' : 'The file cannot be sent now. Try again in a moment.')
  const { detail } = failure
  if (failure.code === 'unavailable') reply.header('retry-after', '5')
  if (detail.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(detail.retryAfterSeconds)))
  return reply.send(
    JSON.stringify({
      ...(failure.status === 422 ? { Success: 0 } : {}),
      error: failure.message,
      code: failure.code,
      ...(detail.needs === undefined ? {} : { needs: detail.needs }),
      ...(detail.fields === undefined ? {} : { fields: detail.fields }),
      ...detail.current,
      requestId: request.id,
    }),
  )
}

/** A file opened in its own window: the person should not see JSON. */
function isOpenedByHand(request: FastifyRequest) {
  return request.routeOptions.config?.call === attachmentDownload && /\btext\/html\b/.test(request.headers.accept ?? '')
}

function sendPage(reply: FastifyReply, text: string) {
  return reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Tessera</title><h1>Tessera</h1><p>${text}</p></html>`)
}

function idsOf(body: unknown) {
  if (typeof body !== 'object' || body === null) return undefined
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => name.startsWith('id') && typeof value === 'number'))
}

function toFailure(error: FastifyError | Error): Failure {
  if (error instanceof Failure) return error
  const { validation, validationContext, statusCode, code } = error as FastifyError
  if (validation) {
    const fields = problemsOf(validation, validationContext ?? 'body')
    return new Failure('invalid', `${fields[0]?.path} ${fields[0]?.message}`, { fields: fields.slice(0, 20) })
  }
  if (statusCode === 413) return new Failure('too_large', 'The request is too large')
  if (statusCode === 415) return new Failure('media_type', 'Send application/json')
  if (statusCode === 400 || code?.startsWith('FST_ERR_CTP'))
    return new Failure('invalid', 'The request is not valid JSON', { fields: [{ path: 'body', message: 'must be JSON' }] })
  if (statusCode === 503) return new Failure('unavailable', 'Busy, try again in a moment')
  return fromDatabase(error)
}

/** SQLSTATEs caused by a request or an outage, not by a defect. */
function fromDatabase(error: unknown): Failure {
  const state = sqlState(error)
  if (state === '23505') return new Failure('duplicate', 'This name is taken')
  if (state === '23503') return notFound()
  if (isBusyOrAway(error)) return new Failure('unavailable', 'The database is busy or unavailable, try again in a moment')
  return new Failure('defect', 'Something went wrong on our side')
}
