import { connstate } from '@tessera/contract/session'
import { afterEach, expect, test, vi } from 'vitest'
import { sendFirst, takeFirst } from './first-calls.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  delete window.firstCalls
  delete window.isCalling
})

test('a call that was sent ahead is answered once', async () => {
  const fetching = vi.fn(async () => new Response('{"auth":0}'))
  vi.stubGlobal('fetch', fetching)
  sendFirst(connstate, {})
  expect((await takeFirst(connstate, {}))?.text).toBe('{"auth":0}')
  expect(await takeFirst(connstate, {})).toBeUndefined()
  expect(fetching).toHaveBeenCalledTimes(1)
})

test('a script that comes after the application sends nothing: its answer would be taken for a new one later', async () => {
  const fetching = vi.fn(async () => new Response('{"auth":1}'))
  vi.stubGlobal('fetch', fetching)
  expect(await takeFirst(connstate, {})).toBeUndefined()
  sendFirst(connstate, {})
  expect(await takeFirst(connstate, {})).toBeUndefined()
  expect(fetching).not.toHaveBeenCalled()
})
