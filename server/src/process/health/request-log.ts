import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The proved caller, for the log. */
    actor?: { userId: number; organizationId: number }
    /** The account that a call without a proved caller is about, for the log: of a sign-in, a sign-out, a new password or an invitation. */
    account?: number
    /** How an attempt to sign in ended; `choice`: the password is right, and an organization is to be chosen. */
    signIn?: 'accepted' | 'refused' | 'choice'
  }
}

/** How an attempt to sign in ended; undefined for other calls, and when the server failed. */
export function signInOutcome({ signIn, routeOptions }: FastifyRequest, { statusCode }: FastifyReply) {
  if (statusCode === 200) return signIn
  return statusCode === 429 && routeOptions.config.call?.name === 'authenticate' ? 'throttled' : undefined
}

/** The call's name as in its path, or the requested path. */
export function callName(request: FastifyRequest): string {
  const { url, config } = request.routeOptions
  if (config.call) return config.call.name
  if (url === undefined || url === '/' || url === '*') return request.url.startsWith('/api/') ? 'unknown' : 'page'
  if (url.startsWith('/calendar-feed/')) return 'calendar-feed'
  if (/^\/(healthz|readyz|metrics)$/.test(url)) return url.slice(1)
  return url.startsWith('/api/') ? url : 'asset'
}

const quiet = new Set(['asset', 'healthz', 'readyz', 'metrics'])

/** One line for each answer: which call, how it ended, how long it took, who asked. Never bodies, headers or query strings. */
export function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    const call = callName(request)
    const outcome = signInOutcome(request, reply)
    const line = {
      call,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(outcome ? { outcome } : {}),
      ...(request.account === undefined ? {} : { account: request.account }),
      ...(request.actor ? { userId: request.actor.userId, organizationId: request.actor.organizationId } : {}),
    }
    if (quiet.has(call)) request.log.debug(line, 'answered')
    else request.log.info(line, 'answered')
    done()
  })
}

interface PlainError {
  [detail: string]: unknown
  type: string
  message: string
  stack: string
}

/** The logged part of an error: errors of the database driver contain the whole connection, and values in their details. */
export function plainError(error: Error & { code?: unknown }): PlainError {
  const { name, message, stack, code, cause } = error
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    stack: stack ?? '',
    ...(cause instanceof Error ? { cause: plainError(cause) } : {}),
  }
}
