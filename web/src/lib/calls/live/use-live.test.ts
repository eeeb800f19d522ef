import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import { createElement, type PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { signedIn } from '../../../../test/people.ts'
import { enterSession } from '../../session/session.tsx'
import { useLive } from './use-live.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const streams: Stream[] = []
class Stream extends EventTarget {
  static readonly CLOSED = 2
  readyState = 1
  onerror = () => {}
  constructor() {
    super()
    streams.push(this)
  }
  close() {
    this.readyState = Stream.CLOSED
  }
}

test('everything is read again after changes may have been missed: by the server’s word, after an outage, a hidden page or the session’s end', () => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  enterSession(signedIn())
  const client = new QueryClient()
  const read = vi.spyOn(client, 'invalidateQueries')
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  renderHook(useLive, { wrapper })
  const hear = (name: string) => streams.at(-1)?.dispatchEvent(new Event(name))
  const isReadAfter = (cause: () => void) => {
    read.mockClear()
    cause()
    vi.advanceTimersByTime(1000)
    return read.mock.calls.length > 0
  }
  expect(isReadAfter(() => hear('ready'))).toBe(false)
  expect(isReadAfter(() => hear('resync'))).toBe(true)
  expect(isReadAfter(() => streams.at(-1)?.onerror())).toBe(false)
  expect(isReadAfter(() => hear('ready'))).toBe(true)
  const show = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  show('hidden')
  vi.advanceTimersByTime(20_000)
  expect(streams.map(({ readyState }) => readyState)).toEqual([Stream.CLOSED])
  expect(isReadAfter(() => show('visible'))).toBe(true)
  expect(streams).toHaveLength(2)
  expect(isReadAfter(() => hear('end'))).toBe(true)
  expect(streams.at(-1)?.readyState).toBe(Stream.CLOSED)
})

test('changes are shown although the clock of the computer is set back by a day', () => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  enterSession(signedIn())
  const client = new QueryClient()
  const read = vi.spyOn(client, 'invalidateQueries')
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  renderHook(useLive, { wrapper })
  const isReadAfterChange = () => {
    read.mockClear()
    const data = JSON.stringify({ idProject: 1, kind: 'set-ticket-state' })
    streams.at(-1)?.dispatchEvent(new MessageEvent('change', { data }))
    vi.advanceTimersByTime(10_000)
    return read.mock.calls.length > 0
  }
  expect(isReadAfterChange()).toBe(true)
  vi.setSystemTime(Date.now() - 86_400_000)
  expect(isReadAfterChange()).toBe(true)
})
