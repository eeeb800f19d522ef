import type { Call, Request } from '@tessera/contract/call'

/** A raw answer, not yet interpreted. */
export interface Answer {
  status: number
  text: string
  retryAfter: string | null
}

declare global {
  interface Window {
    /** Calls sent before the application was loaded, by path and body. */
    firstCalls?: Map<string, Promise<Answer>>
  }
}

/** Undefined if the text is no JSON, as from a proxy or the sign-in page of a network. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function keyOf(call: Call, input: unknown) {
  return call.method === 'GET' ? call.path : `${call.path} ${JSON.stringify(input)}`
}

/** The token that every POST carries; '' without one. */
export function csrfToken() {
  return decodeURIComponent(/(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '')
}

/** Sends a call ahead of the application; an answer that is not used within seconds is dropped. */
export function sendFirst<C extends Call<'query'>>(call: C, input: Request<C>) {
  window.firstCalls ??= new Map()
  const calls = window.firstCalls
  const isPost = call.method === 'POST'
  const answer = fetch(call.path, {
    method: call.method,
    headers: {
      accept: 'application/json',
      ...(isPost && { 'content-type': 'application/json', 'x-xsrf-token': csrfToken() }),
    },
    ...(isPost && { body: JSON.stringify(input) }),
  }).then(async received => ({ status: received.status, text: await received.text(), retryAfter: null }))
  const key = keyOf(call, input)
  calls.set(key, answer)
  setTimeout(() => calls.delete(key), 10_000)
  // The code that uses the answer handles a failure; if none does, it does not matter.
  answer.catch(() => undefined)
}

/** The successful answer of a call that was sent ahead; can be taken once. A refusal is ignored: the call is then sent in the normal way. */
export async function takeFirst(call: Call, input: unknown): Promise<Answer | undefined> {
  const key = keyOf(call, input)
  const answer = window.firstCalls?.get(key)
  window.firstCalls?.delete(key)
  const received = await answer?.catch(() => undefined)
  return received?.status === 200 ? received : undefined
}

/** The same, waiting up to `timeout` milliseconds. After that the caller continues without it, and a later one may take it. */
export async function awaitFirst(call: Call, input: unknown, timeout: number): Promise<Answer | undefined> {
  const answer = window.firstCalls?.get(keyOf(call, input))
  if (!answer) return
  const isHere = await Promise.race([answer.then(() => true), new Promise<false>(resolve => setTimeout(resolve, timeout, false))]).catch(
    () => false,
  )
  return isHere ? takeFirst(call, input) : undefined
}
