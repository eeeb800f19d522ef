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

/** Starts the live updates; returns whether anything is read again within some milliseconds of a cause. */
function listen() {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
  enterSession(signedIn())
  const client = new QueryClient()
  const read = vi.spyOn(client, 'invalidateQueries')
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  renderHook(useLive, { wrapper })
  return (cause: () => void, milliseconds = 1000) => {
    read.mockClear()
    cause()
    vi.advanceTimersByTime(milliseconds)
    return read.mock.calls.length > 0
  }
}

test('everything is read again after changes may have been missed: by the server’s word, after an outage, a hidden page or the session’s end', () => {
  const isReadAfter = listen()
  const hear = (name: string) => streams.at(-1)?.dispatchEvent(new Event(name))
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

test('a stream that the server refuses is opened again, later each time, until the page is left', () => {
  const isReadAfter = listen()
  const refuse = () => {
    streams.at(-1)?.close()
    streams.at(-1)?.onerror()
  }
  const openedWithin = (milliseconds: number) => {
    const before = streams.length
    vi.advanceTimersByTime(milliseconds)
    return streams.length - before
  }
  refuse()
  expect([openedWithin(3999), openedWithin(1)]).toEqual([0, 1])
  refuse()
  expect([openedWithin(7999), openedWithin(1)]).toEqual([0, 1])
  expect(isReadAfter(() => streams.at(-1)?.dispatchEvent(new Event('ready')))).toBe(true)
  // From the start again.
  refuse()
  expect([openedWithin(3999), openedWithin(1)]).toEqual([0, 1])
  refuse()
  cleanup()
  expect(openedWithin(60_000)).toBe(0)
})

test('a page that is opened in the background, as by a click with Ctrl, takes no connection until it is shown', () => {
  const show = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  show('hidden')
  const before = streams.length
  const isReadAfter = listen()
  vi.advanceTimersByTime(60_000)
  expect(streams).toHaveLength(before)
  expect(isReadAfter(() => show('visible'))).toBe(true)
  expect(streams).toHaveLength(before + 1)
})

test('changes are shown although the clock of the computer is set back by a day', () => {
  const isReadAfter = listen()
  const data = JSON.stringify({ idProject: 1, kind: 'set-ticket-state' })
  const change = () => streams.at(-1)?.dispatchEvent(new MessageEvent('change', { data }))
  expect(isReadAfter(change, 10_000)).toBe(true)
  vi.setSystemTime(Date.now() - 86_400_000)
  expect(isReadAfter(change, 10_000)).toBe(true)
})
