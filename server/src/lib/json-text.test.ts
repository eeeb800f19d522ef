import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { JsonText } from './json-text.ts'

test('an answer stays what it is until its response is closed, whatever is written beside it', () => {
  const open: { response: EventEmitter; text: string; bytes: Buffer }[] = []
  for (let index = 0; index < 3000; index++) {
    const response = new EventEmitter()
    const text = '€é"x'.repeat((index * 7919) % 9000) + index
    open.push({ response, text, bytes: new JsonText(text).encodeFor(response as ServerResponse) })
    // Out of their order, up to forty are open at a time.
    if (open.length < 40) continue
    const [done] = open.splice((index * 31) % 40, 1)
    expect(done?.bytes.toString()).toBe(done?.text)
    done?.response.emit('close')
  }
  for (const { text, bytes } of open) expect(bytes.toString()).toBe(text)
})
