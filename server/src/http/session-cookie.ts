import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { settleSeconds } from '../db/replicas.ts'
import type { Credentials } from '../lib/authorize.ts'

// A session cookie is `{organization}.{256 random bits}`: every statement is bound to the organization.

/** `__Host-` binds a cookie to this host over https; plain http does not allow it. */
function nameOf(config: Config, name: 'sid' | 'pre' | 'dev' | 'wrote') {
  return config.secure ? `__Host-${name}` : name
}

export function digest(token: string) {
  return hash('sha256', token, 'buffer')
}

/** The device of a reset code that an operator made on the machine itself. It is not a digest, so no cookie matches it. */
export const anyDevice = Buffer.alloc(0)

/** The cookies of the request. */
export function cookiesOf(request: FastifyRequest) {
  return request.server.parseCookie(request.headers.cookie ?? '')
}

/** The session the request claims, which only the database proves; `null` without a well-formed cookie. */
export function credentialsOf(config: Config, request: FastifyRequest): Credentials | null {
  const cookie = cookiesOf(request)[nameOf(config, 'sid')] ?? ''
  const [, organization, token] = /^(\d{1,15})\.([\w-]{43})$/.exec(cookie) ?? []
  if (!organization || !token) return null
  const isBackground = request.headers['x-background'] === '1'
  return { organizationId: Number(organization), tokenHash: digest(token), isBackground, ...expectedUser(request) }
}

function expectedUser(request: FastifyRequest) {
  const header = request.headers['x-session-user']
  if (header === undefined) return {}
  return { expectedUserId: typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN }
}

/** How a cookie is set: for this site only, and hidden from its scripts. */
function options(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: config.secure } as const
}

export function newToken() {
  return randomBytes(32).toString('base64url')
}

export function setSessionCookie(config: Config, reply: FastifyReply, organizationId: number, token: string) {
  reply.setCookie(nameOf(config, 'sid'), `${organizationId}.${token}`, options(config))
}
export function clearSessionCookie(config: Config, reply: FastifyReply) {
  reply.clearCookie(nameOf(config, 'sid'), options(config))
}

/** Marks a browser that has just saved something: the primary answers its lists for a while. */
export function markWriter(config: Config, reply: FastifyReply) {
  reply.setCookie(nameOf(config, 'wrote'), '1', { ...options(config), maxAge: settleSeconds })
}
export function hasJustWritten(config: Config, request: FastifyRequest) {
  return cookiesOf(request)[nameOf(config, 'wrote')] !== undefined
}

/** The value that CSRF tokens are bound to: the session cookie, or before sign-in the one of `visitorBinding`. */
export function csrfBinding(config: Config, request: FastifyRequest): string | undefined {
  const cookies = cookiesOf(request)
  return cookies[nameOf(config, 'sid')] || cookies[nameOf(config, 'pre')]
}

/** The random cookie of a browser that is not signed in; created when missing. */
export function visitorBinding(config: Config, request: FastifyRequest, reply: FastifyReply): string {
  const known = cookiesOf(request)[nameOf(config, 'pre')]
  if (known) return known
  const token = newToken()
  reply.setCookie(nameOf(config, 'pre'), token, { ...options(config), maxAge: 86_400 })
  return token
}

/** The browser's permanent id, for throttling and reset codes; created when missing if a reply is given. */
export function deviceOf(config: Config, request: FastifyRequest, reply?: FastifyReply): string | undefined {
  const known = cookiesOf(request)[nameOf(config, 'dev')]
  if (known && /^[\w-]{43}$/.test(known)) return known
  if (!reply) return undefined
  const token = newToken()
  reply.setCookie(nameOf(config, 'dev'), token, { ...options(config), sameSite: 'lax', maxAge: 365 * 86_400 })
  return token
}

/** The stored digest of the browser's id; without an id, a value that matches no browser. */
export function deviceDigest(config: Config, request: FastifyRequest): Buffer {
  const device = deviceOf(config, request)
  return device === undefined ? Buffer.of(0) : digest(device)
}
