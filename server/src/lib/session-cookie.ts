import { hash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { settleSeconds } from '../db/replicas.ts'
import type { Credentials } from './authorize.ts'
import { Failure } from './failure.ts'

// A session cookie is `{organization}.{256 random bits}`: the organization leads every statement to its rows.

/** `__Host-` binds a cookie to this host over https; plain http cannot have it. */
function nameOf(config: Config, name: 'sid' | 'pre' | 'dev' | 'wrote') {
  return config.secure ? `__Host-${name}` : name
}

export function digest(token: string) {
  return hash('sha256', token, 'buffer')
}

/** Stands for the device of a reset code that an operator made on the machine itself: it is no digest, so no cookie has it. */
export const anyDevice = Buffer.alloc(0)

/** What a Cookie header says. */
interface Said {
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly session: Pick<Credentials, 'organizationId' | 'tokenHash'> | null
  /** The CSRF token that was last proved to belong to these cookies. */
  csrfToken?: string
}
declare module 'fastify' {
  interface FastifyRequest {
    said?: Said
  }
}

// A browser says the same with each request: it is parsed and hashed once. Nothing here proves a session, that is the database's.
const headersKept = 2000
const longestKept = 2000
const known = new WeakMap<Config, Map<string, Said>>()

/** What the request's cookies say. */
export function saidBy(config: Config, request: FastifyRequest): Said {
  request.said ??= recall(config, request)
  return request.said
}

function recall(config: Config, request: FastifyRequest): Said {
  const header = request.headers.cookie ?? ''
  const kept = known.get(config) ?? new Map<string, Said>()
  const said = kept.get(header) ?? read(config, request.server.parseCookie(header))
  if (header.length > longestKept || kept.has(header)) return said
  if (kept.size === headersKept) kept.clear()
  known.set(config, kept.set(header, said))
  return said
}

function read(config: Config, cookies: Said['cookies']): Said {
  const cookie = cookies[nameOf(config, 'sid')]
  const [, organization, token] = (cookie === undefined ? null : /^(\d{1,15})\.([\w-]{43})$/.exec(cookie)) ?? []
  return { cookies, session: organization && token ? { organizationId: Number(organization), tokenHash: digest(token) } : null }
}

/** The session the request claims; `null` without a well-formed cookie. */
export function credentialsOf(config: Config, request: FastifyRequest): Credentials | null {
  const { session } = saidBy(config, request)
  return session && { ...session, isBackground: request.headers['x-background'] === '1', ...expectedUser(request) }
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
  request.said = read(config, { ...saidBy(config, request).cookies, [nameOf(config, 'sid')]: undefined })
  reply.clearCookie(nameOf(config, 'sid'), { path: '/', httpOnly: true, sameSite: 'strict', secure: config.secure })
}

/** The browser has just saved something: its lists come from the primary for a while. */
export function markWriter(config: Config, reply: FastifyReply) {
  reply.setCookie(nameOf(config, 'wrote'), '1', {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.secure,
    maxAge: settleSeconds,
  })
}
export function hasJustWritten(config: Config, request: FastifyRequest) {
  return saidBy(config, request).cookies[nameOf(config, 'wrote')] !== undefined
}

/** What CSRF tokens are bound to: the session cookie, or before sign-in a random cookie that is made when missing. */
export function csrfBinding(config: Config, request: FastifyRequest, reply?: FastifyReply): string | undefined {
  const { cookies } = saidBy(config, request)
  const session = cookies[nameOf(config, 'sid')]
  if (session) return session
  const before = cookies[nameOf(config, 'pre')]
  if (before || !reply) return before
  const token = newToken()
  reply.setCookie(nameOf(config, 'pre'), token, { path: '/', httpOnly: true, sameSite: 'strict', secure: config.secure, maxAge: 86_400 })
  return token
}

/** The browser's lasting id, for throttling and for reset codes; made when missing and a reply is given. */
export function deviceOf(config: Config, request: FastifyRequest, reply?: FastifyReply): string | undefined {
  const known = saidBy(config, request).cookies[nameOf(config, 'dev')]
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
