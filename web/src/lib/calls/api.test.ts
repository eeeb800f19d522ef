import { authenticate, connstate, logout } from '@tessera/contract/people/session'
import { getProjectList } from '@tessera/contract/projects/projects'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { createNewTicket, getTicketData } from '@tessera/contract/tickets/tickets'
import { beforeEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { closeReconnect, currentSession, enterSession, leaveSession } from '../session/session.tsx'
import { CallError, post, SessionTimedOut } from './api.ts'
import { uuid } from './mutations/uuid.ts'
import { queryClient } from './query-client.ts'
import { isUnreached } from './reach.ts'

beforeEach(() => {
  leaveSession()
  // biome-ignore lint/suspicious/noDocumentCookie: the page reads its token there
  document.cookie = 'XSRF-TOKEN=first'
})

test('a post carries the CSRF token, the user it believes in and the key of a repeatable create [7.46]', async () => {
  const server = fakeServer()
  server.on(createNewTicket, () => [12])
  enterSession(signedIn({ idUser: 7 }))
  expect(await post(createNewTicket, { idProject: 1, idTemplate: 2, Title: 'New' }, { idempotencyKey: 'key' })).toEqual([12])
  const [sent] = server.requests
  expect(sent?.input).toEqual({ idProject: 1, idTemplate: 2, Title: 'New' })
  expect(sent?.headers.get('x-xsrf-token')).toBe('first')
  expect(sent?.headers.get('x-session-user')).toBe('7')
  expect(sent?.headers.get('idempotency-key')).toBe('key')
})

test('a GET call has neither body nor token', async () => {
  const server = fakeServer()
  server.on(logout, () => ({ Success: 1 }))
  await post(logout, {})
  expect(server.requests[0]?.headers.has('x-xsrf-token')).toBe(false)
})

test('a refused CSRF token is renewed through connstate and the call sent once more', async () => {
  const server = fakeServer()
  server.on(connstate, () => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the server's Set-Cookie does
    document.cookie = 'XSRF-TOKEN=second'
    return { auth: 0 }
  })
  server.on(getProjectList, (_input, { headers }) =>
    headers.get('x-xsrf-token') === 'second' ? [] : new Refusal(400, { error: 'Wrong token', code: 'csrf' }),
  )
  expect(await post(getProjectList, {})).toEqual([])
  expect(server.requests.map(({ path }) => path)).toEqual([getProjectList.path, connstate.path, getProjectList.path])
})

test('a token that stays wrong is an error, not a loop', async () => {
  const server = fakeServer()
  server.on(connstate, () => ({ auth: 0 }))
  server.on(getProjectList, () => new Refusal(400, { error: 'Wrong token', code: 'csrf' }))
  await expect(post(getProjectList, {})).rejects.toMatchObject({ status: 400, code: 'csrf' })
  expect(server.sentTo(getProjectList)).toHaveLength(3)
})

test('a token that another tab has replaced meanwhile is renewed once more', async () => {
  const server = fakeServer()
  let tokens = 0
  server.on(connstate, () => {
    tokens += 1
    // biome-ignore lint/suspicious/noDocumentCookie: as the server's Set-Cookie does
    document.cookie = `XSRF-TOKEN=token${tokens}`
    return { auth: 0 }
  })
  server.on(authenticate, (_input, { headers }) =>
    headers.get('x-xsrf-token') === 'token2' ? signedIn() : new Refusal(400, { error: 'Wrong token', code: 'csrf' }),
  )
  expect(await post(authenticate, { user: 'dana', pass: 'secret' })).toMatchObject({ auth: 1 })
})

test('several 403s open one dialog; their calls fail, later calls wait until the same person is back [4.3]', async () => {
  const server = fakeServer()
  let isAlive = false
  server.on(getProjectList, () => (isAlive ? [] : new Refusal(403, { auth: 0 })))
  enterSession(signedIn())
  const both = await Promise.allSettled([post(getProjectList, {}), post(getProjectList, { GetAll: 1 })])
  for (const one of both) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(SessionTimedOut) })
  expect(currentSession()).toMatchObject({ authenticated: false, timedOut: true, reconnect: 'asked', idUser: 7 })

  const later = post(getProjectList, {})
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(server.sentTo(getProjectList)).toHaveLength(2)
  isAlive = true
  enterSession(signedIn())
  expect(await later).toEqual([])
  expect(currentSession()).toMatchObject({ authenticated: true, timedOut: false })
  expect(server.sentTo(getProjectList)).toHaveLength(3)
})

test('a waiting call is never sent as another person', async () => {
  const server = fakeServer()
  server.on(getProjectList, () => new Refusal(403, { auth: 0 }))
  enterSession(signedIn())
  await post(getProjectList, {}).catch(() => undefined)
  const waiting = post(getProjectList, {})
  enterSession(signedIn({ idUser: 8 }))
  await expect(waiting).rejects.toBeInstanceOf(SessionTimedOut)
  expect(server.sentTo(getProjectList)).toHaveLength(1)
})

test('canceling the dialog fails the waiting calls; a dialog closed for now opens again with the next call', async () => {
  const server = fakeServer()
  server.on(getProjectList, () => new Refusal(403, { auth: 0 }))
  enterSession(signedIn())
  await post(getProjectList, {}).catch(() => undefined)
  closeReconnect('later')
  const waiting = post(getProjectList, {})
  expect(currentSession().reconnect).toBe('asked')
  closeReconnect('canceled')
  await expect(waiting).rejects.toBeInstanceOf(SessionTimedOut)
  await expect(post(getProjectList, {})).rejects.toBeInstanceOf(SessionTimedOut)
  expect(currentSession().reconnect).toBe('canceled')
})

test('a save that failed because the session ended is sent again once, only for the same person', async () => {
  const server = fakeServer()
  let isAlive = false
  server.on(setTicketComment, () => (isAlive ? { Success: 1, idComment: 3 } : new Refusal(403, { auth: 0 })))
  const comment = { idTicket: 1, Comment: 'Kept' }
  const save = async () => {
    const saving = post(setTicketComment, comment, { idempotencyKey: 'key' })
    saving.catch(() => undefined)
    await expect.poll(() => currentSession().timedOut).toBe(true)
    return { saving }
  }
  enterSession(signedIn())
  const replaced = await save()
  enterSession(signedIn({ idUser: 8 }))
  await expect(replaced.saving).rejects.toBeInstanceOf(SessionTimedOut)
  expect(server.sentTo(setTicketComment)).toHaveLength(1)

  const canceled = await save()
  closeReconnect('canceled')
  await expect(canceled.saving).rejects.toBeInstanceOf(SessionTimedOut)
  expect(server.sentTo(setTicketComment)).toHaveLength(2)

  enterSession(signedIn({ idUser: 8 }))
  const resumed = await save()
  isAlive = true
  enterSession(signedIn({ idUser: 8 }))
  expect(await resumed.saving).toEqual({ Success: 1, idComment: 3 })
  expect(server.sentTo(setTicketComment)).toHaveLength(4)
  for (const { input, headers } of server.requests) expect([input, headers.get('idempotency-key')]).toEqual([comment, 'key'])
})

/** A pending call that gets its 403 when `answer` is called. */
async function callUnderWay() {
  const server = fakeServer()
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  server.on(getProjectList, async () => {
    await promise
    return new Refusal(403, { auth: 0 })
  })
  enterSession(signedIn())
  const slow = post(getProjectList, {})
  await expect.poll(() => server.requests).toHaveLength(1)
  return { slow, answer }
}

test('a 403 that was under way during the sign-in does not ask again', async () => {
  const { slow, answer } = await callUnderWay()
  leaveSession()
  enterSession(signedIn())
  answer()
  await expect(slow).rejects.toBeInstanceOf(SessionTimedOut)
  expect(currentSession().timedOut).toBe(false)
})

test('a 403 that was under way when somebody signed out asks nobody to come back', async () => {
  const { slow, answer } = await callUnderWay()
  leaveSession()
  answer()
  await expect(slow).rejects.toBeInstanceOf(SessionTimedOut)
  expect(currentSession().timedOut).toBe(false)
})

test('a refusal has a message, a code and what is missing', async () => {
  const server = fakeServer()
  const refusal = { Success: 0, error: 'You may not', code: 'not_permitted', needs: 'Edit tickets', requestId: 'r' }
  server.on(getTicketData, () => new Refusal(422, refusal, { 'retry-after': '5' }))
  const problem = await post(getTicketData, { idTicket: 1 }).catch(error => error)
  expect(problem).toBeInstanceOf(CallError)
  expect(problem).toMatchObject({
    status: 422,
    code: 'not_permitted',
    message: 'You may not',
    needs: 'Edit tickets',
    retryAfter: 5,
    body: refusal,
  })
})

test('a query that is refused because too many of this person wait is repeated when the server says so', () => {
  const { retry, retryDelay } = queryClient.getDefaultOptions().queries as {
    retry: (failures: number, error: Error) => boolean
    retryDelay: (failures: number, error: Error) => number
  }
  const refused = new CallError(429, { code: 'throttled' }, 5)
  expect([retry(1, refused), retry(2, refused), retryDelay(0, refused)]).toEqual([true, false, 5000])
  expect(retryDelay(1, new CallError(503, { code: 'unavailable' }, 5))).toBe(1000)
  const hasWaited = new CallError(429, { code: 'throttled' }, 60)
  expect(retry(0, hasWaited)).toBe(false)
})

test('a 200 with Success 0 is a refusal, with or without a message', async () => {
  const server = fakeServer()
  server.on(createNewTicket, () => new Refusal(200, { Success: 0 }))
  const input = { idProject: 1, idTemplate: 2, Title: 'New' }
  await expect(post(createNewTicket, input)).rejects.toMatchObject({ status: 422, code: 'refused', message: 'The server gave no reason.' })
  server.on(createNewTicket, () => new Refusal(200, { Success: 0, error: 'Too many', code: 'rule' }))
  await expect(post(createNewTicket, input)).rejects.toMatchObject({ status: 422, code: 'rule', message: 'Too many' })
})

test('when somebody else has signed in, the page asks to be reloaded', async () => {
  const server = fakeServer()
  enterSession(signedIn())
  server.on(getProjectList, () => new Refusal(409, { error: 'Another user', code: 'identity_changed' }))
  await expect(post(getProjectList, {})).rejects.toMatchObject({ status: 409 })
  expect(currentSession().identityChanged).toBe(true)
})

test('a missing answer is an error with a message and means offline until any answer comes, an abort stays an abort', async () => {
  const server = fakeServer()
  server.on(getProjectList, () => {
    throw new TypeError('fetch failed')
  })
  const problem = { status: 0, code: 'network' }
  await expect(post(getProjectList, {})).rejects.toMatchObject({ ...problem, wasOffline: false })
  expect(isUnreached()).toBe(true)
  await expect(post(getProjectList, {})).rejects.toMatchObject({ ...problem, wasOffline: true })
  server.on(getProjectList, () => new Refusal(503))
  await expect(post(getProjectList, {})).rejects.toMatchObject({ status: 503 })
  expect(isUnreached()).toBe(false)
  const aborter = new AbortController()
  aborter.abort()
  await expect(post(getProjectList, {}, { signal: aborter.signal })).rejects.toMatchObject({ name: 'AbortError' })
  expect(isUnreached()).toBe(false)
})

test('uuid makes UUIDs of version 4', () => {
  expect(uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuid()).not.toBe(uuid())
})
