import { events } from '@tessera/contract/projects/live'
import { expect, vi } from 'vitest'
import type { Browser } from '../torture/tools/product.ts'

/** Collects the live updates that a page receives. */
export async function listenAs(address: string, browser: Browser) {
  const abort = new AbortController()
  const answer = await fetch(`${address}${events.path}`, { headers: browser.headers(), signal: abort.signal })
  let text = ''
  const reading = (async () => {
    for await (const chunk of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) text += chunk
  })().catch(() => undefined)
  await vi.waitFor(() => expect(text).toContain('event: ready'), 30_000)
  return {
    tickets: () => new Set([...text.matchAll(/"idTicket":(\d+)/g)].map(match => Number(match[1]))),
    changes: () => [...text.matchAll(/event: change/g)].length,
    async close() {
      abort.abort()
      await reading
    },
  }
}
