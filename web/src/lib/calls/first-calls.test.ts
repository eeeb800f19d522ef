import { connstate } from '@tessera/contract/people/session'
import { afterEach, expect, test, vi } from 'vitest'
import { sendFirst, takeFirst } from './first-calls.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  delete window.firstCalls
})

test('a call that was sent ahead is answered once', async () => {
  const fetching = vi.fn(async () => new Response('{"auth":0}'))
  vi.stubGlobal('fetch', fetching)
  sendFirst(connstate, {})
  expect((await takeFirst(connstate, {}))?.text).toBe('{"auth":0}')
  expect(await takeFirst(connstate, {})).toBeUndefined()
  expect(fetching).toHaveBeenCalledTimes(1)
})
