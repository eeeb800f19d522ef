import { type InfiniteData, infiniteQueryOptions, notifyManager, queryOptions } from '@tanstack/react-query'
import type { Access, Call, Request, Response } from '@tessera/contract/call'
import type { ErrorAnswer } from '@tessera/contract/errors'
import { connstate } from '@tessera/contract/people/session'
import { noteSeen } from '../session/activity.ts'
import { changeIdentity, currentSession, onSessionChange, type Session, timeOutSession } from '../session/session.tsx'
import { isInBackground } from './background.ts'
import { type Answer, csrfToken, parsed, takeFirst } from './first-calls.ts'
import { isUnreached, noteReach, unreachableMessage } from './reach.ts'

/** A refusal of the server, or no answer at all (`status` 0, `code` `network`). */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  /** The permission that is missing, by name. */
  readonly needs: string | undefined
  readonly fields: NonNullable<ErrorAnswer['fields']>
  /** Seconds to wait, where the server said so. */
  readonly retryAfter: number | undefined
  /** The answer as it came: a conflict carries the current values. */
  readonly body: unknown
  constructor(status: number, body: Partial<ErrorAnswer>, retryAfter?: number) {
    super(body.error ?? `The server answered with an error (${status}). Try again in a moment.`)
    this.status = status
    this.code = body.code ?? 'defect'
    this.needs = body.needs
    this.fields = body.fields ?? []
    this.retryAfter = retryAfter
    this.body = body
  }
}

/** The session ended: the reconnect dialog says so, the caller need not. */
export class SessionTimedOut extends CallError {
  constructor() {
    super(403, { error: 'Your session has timed out.', code: 'session' })
  }
}

/** No answer came. */
export class Unreachable extends CallError {
  /** The server could not be reached before this call either. */
  readonly wasOffline: boolean
  constructor(wasOffline: boolean) {
    super(0, { error: unreachableMessage, code: 'network' })
    this.wasOffline = wasOffline
  }
}

export interface PostOptions {
  signal?: AbortSignal
  /** A repeated request with the same key gets the first one's answer. */
  idempotencyKey?: string
  /** Not caused by the user, so it must not extend the session. */
  isBackground?: boolean
}

/** Counts sign-ins, so that a late 403 of a call from before a sign-in does not open the dialog again. */
let epoch = 0
let lastAuthenticated = false
onSessionChange(() => {
  const { authenticated } = currentSession()
  if (authenticated && !lastAuthenticated) epoch += 1
  lastAuthenticated = authenticated
})

/** Whether the person of an earlier session is signed in now. */
function isSamePerson(now: Session, before: Session) {
  return now.authenticated && now.idUser === before.idUser && now.idOrganization === before.idOrganization
}

/** Waits for the reconnect dialog; fails when it is canceled or somebody else signs in. */
function liveSession(signal: AbortSignal | undefined) {
  const before = currentSession()
  const { timedOut, reconnect } = before
  if (!timedOut) return
  if (reconnect === 'canceled') throw new SessionTimedOut()
  timeOutSession()
  return new Promise<void>((resolve, reject) => {
    const stop = onSessionChange(() => {
      const now = currentSession()
      if (now.timedOut && now.reconnect !== 'canceled') return
      stop()
      if (isSamePerson(now, before)) resolve()
      else reject(new SessionTimedOut())
    })
    signal?.addEventListener('abort', () => {
      stop()
      reject(signal.reason)
    })
  })
}

export function requestHeaders(call: Call, { idempotencyKey, isBackground }: PostOptions) {
  const headers: Record<string, string> = { accept: 'application/json' }
  const token = csrfToken()
  if (token && call.method === 'POST') headers['x-xsrf-token'] = token
  const { idUser } = currentSession()
  if (idUser && call.access !== 'public') headers['x-session-user'] = String(idUser)
  if (isBackground) headers['x-background'] = '1'
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  return headers
}

/** No call takes longer; the connection is gone then, even if nothing says so. In milliseconds. */
const callTimeout = 120_000

async function send(call: Call, input: unknown, options: PostOptions): Promise<Answer> {
  const first = await takeFirst(call, input)
  options.signal?.throwIfAborted()
  if (first) return first
  const headers = requestHeaders(call, options)
  const query = new URLSearchParams(Object.entries(input ?? {}).map(([name, value]) => [name, String(value)])).toString()
  const path = call.method === 'GET' && query ? `${call.path}?${query}` : call.path
  if (call.method === 'POST') headers['content-type'] = 'application/json'
  const wasOffline = isUnreached()
  try {
    const answer = await fetch(path, {
      method: call.method,
      headers,
      ...(call.method === 'POST' ? { body: JSON.stringify(input) } : {}),
      signal: AbortSignal.any([AbortSignal.timeout(callTimeout), ...(options.signal ? [options.signal] : [])]),
    })
    const text = await answer.text()
    noteReach(true)
    return { status: answer.status, text, retryAfter: answer.headers.get('retry-after') }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw unreachable(wasOffline)
  }
}

export function unreachable(wasOffline = false) {
  noteReach(false)
  return new Unreachable(wasOffline)
}

/** Some calls of the specification answer 200 with `Success: 0`, which is a failure. */
function isRefusal(body: unknown): body is Partial<ErrorAnswer> {
  return typeof body === 'object' && body !== null && (body as Partial<ErrorAnswer>).Success === 0
}

function noteEndOfSession(sent: number) {
  const { authenticated, timedOut } = currentSession()
  // A user who has signed out meanwhile is not asked to come back.
  if (sent === epoch && (authenticated || timedOut)) timeOutSession()
}

/** Turns a finished answer into its value or the error it stands for; `sent` is the epoch the request left in. */
function settle({ status, text, retryAfter }: Answer, sent: number): unknown {
  const body = parsed(text)
  if (status >= 200 && status < 300 && body !== undefined) {
    if (isRefusal(body)) throw new CallError(422, { error: 'The server gave no reason.', code: 'refused', ...body })
    return body
  }
  if (status === 403) {
    noteEndOfSession(sent)
    throw new SessionTimedOut()
  }
  const refusal = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorAnswer>
  if (refusal.code === 'identity_changed') changeIdentity()
  const seconds = Number(retryAfter ?? Number.NaN)
  throw new CallError(status, refusal, Number.isFinite(seconds) ? seconds : undefined)
}

function isCsrfRefusal({ status, text }: Answer) {
  return status === 400 && (parsed(text) as Partial<ErrorAnswer> | undefined)?.code === 'csrf'
}

/** Retries with a new token if the CSRF token was refused: up to twice, because another tab may have replaced the token in between. */
async function withToken(options: PostOptions, attempt: () => Promise<Answer>) {
  let answer = await attempt()
  for (let renewals = 0; renewals < 2 && isCsrfRefusal(answer); renewals++) {
    // Any GET sets a fresh token; connstate is made for it and does not extend the session.
    await send(connstate, {}, options.signal ? { signal: options.signal } : {})
    answer = await attempt()
  }
  return answer
}

/** Waits until the person whose session ended during a call is back. */
async function personBack(before: Session, sent: number, signal: AbortSignal | undefined) {
  noteEndOfSession(sent)
  await liveSession(signal)
  if (!isSamePerson(currentSession(), before)) throw new SessionTimedOut()
}

/** Makes attempts at a call until its answer is final. */
export async function exchange(call: Call, options: PostOptions, attempt: () => Promise<Answer>) {
  if (call.access !== 'public') await liveSession(options.signal)
  const before = currentSession()
  let sent = epoch
  let answer = await withToken(options, attempt)
  // Queries are repeated by the code that needs the answer, but a failed save would have to be repeated by hand.
  if (answer.status === 403 && call.kind === 'mutation') {
    await personBack(before, sent, options.signal)
    sent = epoch
    answer = await withToken(options, attempt)
  }
  const value = settle(answer, sent)
  if (call.access !== 'public' && !call.passive && !options.isBackground) noteSeen()
  return value
}

/** Sends one call and returns its response, or throws a `CallError`. */
export function post<C extends Call>(call: C, input: Request<C>, options: PostOptions = {}) {
  return exchange(call, options, () => send(call, input, options)) as Promise<Response<C>>
}

/** The options of `useQuery` for a call: one cache entry for each input. */
export function callQuery<C extends Call<'query'>>(call: C, input: Request<C>) {
  return queryOptions<Response<C>, CallError>({
    queryKey: [call.path, input],
    queryFn: ({ signal, queryKey }) => post(call, input, { signal, isBackground: isInBackground(queryKey) }),
  })
}

/** The options of `useInfiniteQuery` for a call that answers by page: `NextCursor` goes back as `Cursor`. */
export function callPages<Input extends object, Page extends { NextCursor: string | number | null }>(
  call: Call<'query', Access, Input, Page>,
  input: NoInfer<Input>,
) {
  type Cursor = string | number | undefined
  return infiniteQueryOptions<Page, CallError, InfiniteData<Page, Cursor>, readonly unknown[], Cursor>({
    queryKey: [call.path, input, 'pages'],
    queryFn: ({ signal, queryKey, pageParam }) =>
      post(call, { ...input, ...(pageParam && { Cursor: pageParam }) }, { signal, isBackground: isInBackground(queryKey) }),
    initialPageParam: undefined,
    getNextPageParam: page => page.NextCursor ?? undefined,
  })
}

// Not in a timeout, which is the default: the second click of a double click may come before it, to a button that is not yet disabled.
notifyManager.setScheduler(queueMicrotask)
