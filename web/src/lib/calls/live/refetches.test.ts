import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { afterEach, expect, test, vi } from 'vitest'
import { followsTickets } from './concerned.ts'
import { refetchesOf } from './refetches.ts'

afterEach(() => void vi.useRealTimers())

test('a search whose connection may be gone is started again when changes were missed', async () => {
  const queries = new QueryClient()
  let reads = 0
  const search = new QueryObserver(queries, {
    queryKey: [searchTickets.path, { Query: 'is:mine' }],
    queryFn: () => {
      reads += 1
      return reads === 2 ? new Promise<number>(() => undefined) : reads
    },
    meta: followsTickets,
  })
  const stop = search.subscribe(() => undefined)
  await vi.waitFor(() => expect(search.getCurrentResult().data).toBe(1), 20_000)
  void search.refetch()
  expect(reads).toBe(2)
  const refetches = refetchesOf(queries)
  refetches.missed()
  await vi.waitFor(() => expect(search.getCurrentResult().data).toBe(3), 10_000)
  refetches.stop()
  stop()
})

test('what a change of this page concerns is read once: with its echo at once, without one after a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const queries = new QueryClient()
  let reads = 0
  const ticket = new QueryObserver(queries, { queryKey: [getTicketData.path, { idTicket: 7 }], queryFn: () => (reads += 1) })
  const stop = ticket.subscribe(() => undefined)
  const refetches = refetchesOf(queries)
  const change = { idProject: 1, idTicket: 7, kind: 'set-ticket-data' }
  const readsAfter = async (milliseconds: number, work: () => void) => {
    const before = reads
    work()
    await vi.advanceTimersByTimeAsync(milliseconds)
    return reads - before
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(await readsAfter(900, () => refetches.addOwn(change))).toBe(0)
  expect(await readsAfter(10, () => refetches.hear(change))).toBe(1)
  expect(await readsAfter(2000, () => undefined)).toBe(0)
  expect(await readsAfter(1050, () => refetches.addOwn(change))).toBe(0)
  expect(await readsAfter(2000, () => undefined)).toBe(1)
  const theirs = { ...change, kind: 'set-ticket-comment' }
  expect(await readsAfter(90, () => refetches.hear(theirs))).toBe(0)
  expect(await readsAfter(2000, () => undefined)).toBe(1)
  const echoFirst = () => {
    refetches.hear(change)
    refetches.addOwn(change)
  }
  expect(await readsAfter(2000, echoFirst)).toBe(1)
  // The echo of one change is not that of the next one, whose own is lost.
  const echoLast = () => {
    refetches.addOwn(change)
    refetches.hear(change)
  }
  for (const first of [echoFirst, echoLast]) {
    expect(await readsAfter(600, first)).toBe(1)
    expect(await readsAfter(1150, () => refetches.addOwn(change))).toBe(1)
    await vi.advanceTimersByTimeAsync(1000)
  }
  refetches.stop()
  stop()
})

test('while people change all the time, an answer that takes longer than the pause between two reads is shown', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const queries = new QueryClient()
  const list = new QueryObserver(queries, {
    queryKey: ['/get-user-list', {}],
    queryFn: ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        setTimeout(resolve, 800, 'new')
      }),
    initialData: 'old',
  })
  const stop = list.subscribe(() => undefined)
  const refetches = refetchesOf(queries)
  for (let step = 0; step < 8; step++) {
    refetches.mayBeOld()
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(list.getCurrentResult().data).toBe('new')
  refetches.stop()
  stop()
})

test('while others comment, who mentions a ticket is searched for at most every five seconds; a linked ticket is read at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const queries = new QueryClient()
  let reads = 0
  const links = new QueryObserver(queries, {
    queryKey: [getTicketLinks.path, { idTicket: 7, References: 1 }],
    queryFn: () => {
      reads += 1
      return [
        { idLink: 1, Kind: 'blocked-by', Ticket: { id: 8 } },
        { idLink: 2, Kind: 'relates', Ticket: null },
      ]
    },
  })
  const stop = links.subscribe(() => undefined)
  const refetches = refetchesOf(queries)
  const readsAfter = async (work: () => void, milliseconds: number) => {
    const before = reads
    work()
    await vi.advanceTimersByTimeAsync(milliseconds)
    return reads - before
  }
  await vi.advanceTimersByTimeAsync(10)
  const comments = setInterval(() => refetches.hear({ idProject: 1, idTicket: 9, kind: 'set-ticket-comment' }), 50)
  expect(await readsAfter(() => undefined, 9_000)).toBe(2)
  clearInterval(comments)
  expect(await readsAfter(() => undefined, 1_900)).toBe(1)
  expect(await readsAfter(() => refetches.hear({ idProject: 2, idTicket: 8, kind: 'set-ticket-data' }), 600)).toBe(1)
  expect(await readsAfter(() => refetches.hear({ idProject: 2, idTicket: 9, kind: 'set-ticket-link' }), 600)).toBe(1)
  refetches.stop()
  stop()
})
