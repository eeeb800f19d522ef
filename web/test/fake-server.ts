import type { Call, Request, Response } from '@tessera/contract/call'
import { vi } from 'vitest'

/** What a fake server answers instead of a response. */
export class Refusal {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown = {}, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

interface Sent {
  path: string
  input: unknown
  headers: Headers
}

/** So that an answer may be written down as it is, literals and all. */
type Frozen<T> = T extends (infer Member)[]
  ? readonly Frozen<Member>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

/** Stands in for `fetch`, typed by the contract; a call without an answer is a 404. */
export function fakeServer() {
  const answers = new Map<string, (input: never, sent: Sent) => unknown>()
  const requests: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = url.split('?')[0] ?? url
    const sent = { path, input: init.body ? JSON.parse(String(init.body)) : {}, headers: new Headers(init.headers) }
    requests.push(sent)
    init.signal?.throwIfAborted()
    const answer = await (answers.get(path) ?? (() => new Refusal(404, { error: 'Not found', code: 'not_found' })))(
      sent.input as never,
      sent,
    )
    init.signal?.throwIfAborted()
    return answer instanceof Refusal
      ? new globalThis.Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers })
      : globalThis.Response.json(answer)
  })
  return {
    requests,
    /** The requests a call got so far. */
    sentTo: (call: Call) => requests.filter(({ path }) => path === call.path),
    on<C extends Call, const R extends Frozen<Response<C>> | Refusal>(call: C, answer: (input: Request<C>, sent: Sent) => R | Promise<R>) {
      answers.set(call.path, answer)
    },
  }
}
