import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Credentials } from './authorize.ts'
import { Failure } from './failure.ts'

// A session cookie is `{organization}.{256 random bits}`: the organization leads every statement to its rows.

/** `__Host-` binds a cookie to this host over https; plain http cannot have it. */
function nameOf(config: Config, name: 'sid' | 'pre' | 'dev') {
  return config.secure ? `__Host-${name}` : name
}

export function digest(token: string) {
  return hash('sha256', token, 'buffer')
}

/** Stands for the device of a reset code that an operator made on the machine itself: it is no digest, so no cookie has it. */
export const anyDevice = Buffer.alloc(0)

/** The session the request claims; `null` without a well-formed cookie. */
export function credentialsOf(config: Config, request: FastifyRequest): Credentials | null {
  const cookie = request.cookies[nameOf(config, 'sid')]
  const match = cookie === undefined ? null : /^(\d{1,15})\.([\w-]{43})$/.exec(cookie)
  if (!match?.[1] || !match[2]) return null
  return {
    organizationId: Number(match[1]),
    tokenHash: digest(match[2]),
    isBackground: request.headers['x-background'] === '1',
    ...expectedUser(request),
  }
}

function expectedUser(request: FastifyRequest) {
  const header = request.headers['x-session-user']
  if (header === undefined) return {}
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) throw new Failure('invalid', 'X-Session-User must be the id of a user')
  return { expectedUserId: Number(header) }
}

export function newToken() {
  return randomBytes(32).toString('base64url')
}

export function setSessionCookie(config: Config, reply: FastifyReply, organizationId: number, token: string) {
  reply.setCookie(nameOf(config, 'sid'), `${organizationId}.${token}`, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.secure,
  })
}
/** Forgets the session in the browser, and for the rest of this request. */
export function clearSessionCookie(config: Config, request: FastifyRequest, reply: FastifyReply) {
  request.cookies[nameOf(config, 'sid')] = undefined
  reply.clearCookie(nameOf(config, 'sid'), { path: '/', httpOnly: true, sameSite: 'strict', secure: config.secure })
}

/** What CSRF tokens are bound to: the session cookie, or before sign-in a random cookie that is made when missing. */
export function csrfBinding(config: Config, request: FastifyRequest, reply?: FastifyReply): string | undefined {
  const session = request.cookies[nameOf(config, 'sid')]
  if (session) return session
  const before = request.cookies[nameOf(config, 'pre')]
  if (before || !reply) return before
  const token = newToken()
  reply.setCookie(nameOf(config, 'pre'), token, { path: '/', httpOnly: true, sameSite: 'strict', secure: config.secure, maxAge: 86_400 })
  return token
}

/** The browser's lasting id, for throttling and for reset codes; made when missing and a reply is given. */
export function deviceOf(config: Config, request: FastifyRequest, reply?: FastifyReply): string | undefined {
  const known = request.cookies[nameOf(config, 'dev')]
  if (known && /^[\w-]{43}$/.test(known)) return known
  if (!reply) return undefined
  const token = newToken()
  reply.setCookie(nameOf(config, 'dev'), token, { path: '/', httpOnly: true, sameSite: 'lax', secure: config.secure, maxAge: 365 * 86_400 })
  return token
}

/** What is stored of the browser's id; for a browser without one, what no browser has. */
export function deviceDigest(config: Config, request: FastifyRequest): Buffer {
  const device = deviceOf(config, request)
  return device === undefined ? Buffer.of(0) : digest(device)
}
