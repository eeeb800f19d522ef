import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../lib/failure.ts'
import { isSameSecret } from '../lib/same-secret.ts'
import type { System } from '../process/system.ts'
import { csrfBinding, visitorBinding } from './session-cookie.ts'

// Signed double submit: the token is `{nonce}.{HMAC(secret, binding, nonce)}`, bound to the session cookie or, before sign-in, to a cookie of its own.

function sign(system: System, binding: string, nonce: string) {
  return createHmac('sha256', system.secret).update(`csrf\n${binding}\n${nonce}`).digest('base64url')
}

/** Gives the page a fresh token in the readable cookie `XSRF-TOKEN`. `binding` when this answer sets a new session, or ends it. */
export function refreshCsrf(system: System, request: FastifyRequest, reply: FastifyReply, binding?: string) {
  const bound = binding ?? (csrfBinding(system.config, request) || visitorBinding(system.config, request, reply))
  const nonce = randomBytes(12).toString('base64url')
  reply.setCookie('XSRF-TOKEN', `${nonce}.${sign(system, bound, nonce)}`, {
    path: '/',
    sameSite: 'strict',
    secure: system.config.secure,
  })
}

/** Throws 400 `csrf` unless the request comes from a page of this origin and carries its token. */
export function requireSameOrigin(system: System, request: FastifyRequest) {
  requireOrigin(system, request)
  const token = request.headers['x-xsrf-token']
  const binding = csrfBinding(system.config, request)
  const [nonce, mac] = typeof token === 'string' ? token.split('.') : []
  if (!nonce || !mac || !binding) throw new Failure('csrf', 'The request lacks a valid X-XSRF-TOKEN header')
  if (!isSameSecret(sign(system, binding, nonce), mac)) throw new Failure('csrf', 'The X-XSRF-TOKEN header does not belong to this session')
}

/** Browsers say where a request comes from; a program that does not say has no cookies that could be abused. */
export function requireOrigin(system: System, request: FastifyRequest) {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure('csrf', 'The request comes from another site')
  const { origin } = request.headers
  if (site === undefined && origin !== undefined && !isOwnOrigin(system, request, origin)) {
    throw new Failure('csrf', 'The request comes from another origin')
  }
}

function isOwnOrigin(system: System, request: FastifyRequest, origin: string) {
  return origin === new URL(system.config.publicUrl).origin || origin === `${request.protocol}://${request.headers.host}`
}
