import { events } from '@tessera/contract/projects/live'
import { expect } from 'vitest'
import type { buildApp } from '../../src/app.ts'
import { type Caller, cookieOf } from './server.ts'

interface Event {
  event: string
  data: unknown
  at: number
}

export async function addressOf(app: App) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
}

/** Opens the stream of an application of this process as a browser does. */
export async function listenTo(app: App, caller: Caller, behind?: number) {
  return openStream(await addressOf(app), { cookie: cookieOf(caller), 'accept-encoding': 'gzip' }, behind)
}

/** Opens the stream and collects what comes. */
export async function openStream(address: string, headers: Record<string, string>, behind?: number) {
  const abort = new AbortController()
  const answer = await fetch(`${address}${events.path}${behind === undefined ? '' : `?behind=${behind}`}`, {
    headers,
    signal: abort.signal,
  })
  const received: Event[] = []
  let isOver = false
  async function collect() {
    let text = ''
    for await (const chunk of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = /^event: (.*)$/m.exec(block)?.[1]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (event && data) received.push({ event, data: JSON.parse(data), at: performance.now() })
      }
    }
  }
  const done = answer.ok
    ? collect()
        .catch(() => undefined)
        .finally(() => (isOver = true))
    : Promise.resolve()
  if (answer.ok) await expect.poll(() => received.some(({ event }) => event === 'ready')).toBe(true)
  return {
    answer,
    received,
    changes: () => received.filter(({ event }) => event === 'change').map(({ data }) => data),
    isOver: () => isOver,
    done,
    close: () => abort.abort(),
  }
}

export type App = Awaited<ReturnType<typeof buildApp>>
