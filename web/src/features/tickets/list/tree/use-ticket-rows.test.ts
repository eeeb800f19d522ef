import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { getTicketData, type QueriedTicket, queryTickets } from '@tessera/contract/tickets/tickets'
import { act, renderHook, waitFor } from '@testing-library/react'
import { createElement, type PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { CallError } from '../../../../lib/calls/api.ts'
import { plainView } from '../view/ticket-view.ts'
import { expandAll } from './expand-all.ts'
import { useFetchAhead } from './use-fetch-ahead.ts'
import { flattenTickets, useTicketRows } from './use-ticket-rows.ts'

function ticket(id: number, children = 0): QueriedTicket {
  return {
    id,
    pcode: 'TIM',
    Type: 'Bug',
    Phase: 1,
    State: 'Open',
    Title: `Ticket ${id}`,
    UserAssigned: 0,
    SubordinateProposedCount: children,
    SubordinateActiveCount: 0,
    SubordinateInactiveCount: 0,
    idParent: null,
    Labels: [],
    Blocked: 0,
  }
}
function shown(...args: Parameters<typeof flattenTickets>) {
  return flattenTickets(...args).map(row => `${'  '.repeat(row.depth)}${row.kind === 'ticket' ? row.ticket.id : row.kind}`)
}

test('the children of open tickets stand under them, level by level', () => {
  const children: Record<number, QueriedTicket[]> = { 1: [ticket(3, 1), ticket(4)], 3: [ticket(5)] }
  const of = (id: number) => ({ data: { tickets: children[id] ?? [], total: children[id]?.length ?? 0 } })
  expect(shown([ticket(1, 2), ticket(2)], new Set([1, 3]), of)).toEqual(['1', '  3', '    5', '  4', '2'])
  expect(shown([ticket(1, 2), ticket(2)], new Set([3]), of)).toEqual(['1', '2'])
})

test('children that load, fail or are too many say so in a row of their own', () => {
  const refetch = vi.fn()
  const answers = new Map([
    [2, { error: new CallError(503, { error: 'Away' }), refetch }],
    [3, { data: { tickets: [ticket(9)], total: 2500 } }],
  ])
  const rows = flattenTickets([ticket(1, 1), ticket(2, 1), ticket(3, 1)], new Set([1, 2, 3]), id => answers.get(id))
  expect(rows.map(({ kind }) => kind)).toEqual(['ticket', 'loading', 'ticket', 'failed', 'ticket', 'ticket', 'more'])
  const failed = rows.find(row => row.kind === 'failed')
  failed?.retry()
  expect(failed?.message).toBe('Away')
  expect(refetch).toHaveBeenCalledOnce()
  expect(rows.find(row => row.kind === 'more')?.hidden).toBe(2499)
})

test('all levels are opened, also below tickets that the list has not loaded', async () => {
  const child = { ...ticket(3, 1), idParent: 1 }
  const roots = [ticket(1, 1), ticket(2, 1)]
  fakeServer().on(queryTickets, ({ idParents, Subordinates, Query }) => {
    const found = Query === 'is:root' ? roots : [child, ...roots]
    const listed = Subordinates ? found : [ticket(9)]
    const Tickets = idParents ? [child] : listed
    return { Tickets, NextCursor: null, Total: Tickets.length }
  })
  // From the top, so that no open ticket is below a closed one where there are too many.
  expect(await expandAll({ idProject: 1 }, plainView)).toEqual([1, 2, 3])
  expect(await expandAll({ idProject: 1, Mine: 1 }, { ...plainView, mine: true })).toEqual([3, 1, 2])
})

test('a moved ticket stands once, where the list that was read last has it', () => {
  const parent = ticket(1, 1)
  const below = (dataUpdatedAt: number) => () => ({ data: { tickets: [{ ...ticket(2), idParent: 1 }], total: 1 }, dataUpdatedAt })
  const readAt = () => 20
  expect(shown([parent, ticket(2)], new Set([1]), below(10), readAt)).toEqual(['1', '2'])
  expect(shown([parent, ticket(2)], new Set([1]), below(30), readAt)).toEqual(['1', '  2'])
})

test('a ticket is never shown below itself, and each row has its own key', () => {
  const of = (id: number) => ({ data: { tickets: id === 1 ? [ticket(2, 1)] : [ticket(1, 1)], total: 1 } })
  const rows = flattenTickets([ticket(1, 1), ticket(2, 1)], new Set([1, 2]), of)
  expect(rows.map(({ key }) => key)).toEqual(['1', '1/2', '1/2/1', '2', '2/1', '2/1/2'])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})

test('a stale page in sight that cannot be read is asked for once', async () => {
  const server = fakeServer()
  let isAway = false
  server.on(queryTickets, ({ Cursor }) => {
    if (isAway) return new Refusal(500, { error: 'Away', code: 'defect' })
    const page = Number(Cursor ?? 0)
    return { Tickets: [ticket(page * 2 + 1), ticket(page * 2 + 2)], NextCursor: page < 5 ? String(page + 1) : null, Total: 12 }
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  const { result } = renderHook(() => useTicketRows(1, undefined, plainView), { wrapper })
  await waitFor(() => expect(result.current.rows).toHaveLength(2))
  for (let page = 1; page <= 5; page++) {
    await act(() => result.current.roots.fetchNextPage())
    await waitFor(() => expect(result.current.rows).toHaveLength(2 * page + 2))
  }
  // Reads the pages in sight again, and leaves the others stale.
  result.current.see(0, 2)
  await act(() => result.current.roots.refetch())
  isAway = true
  const before = server.requests.length
  act(() => result.current.see(8, 12))
  await waitFor(() => expect(result.current.roots.isRefetchError).toBe(true))
  for (let turn = 0; turn < 20; turn++) await act(() => new Promise(resolve => setTimeout(resolve)))
  expect(server.requests.length - before).toBeLessThan(4)
})

test('below an open ticket the pages in sight are read again, and no others but the first', async () => {
  const server = fakeServer()
  server.on(queryTickets, ({ Cursor, idParent }) => {
    if (idParent === 1) return { Tickets: [21, 22, 23, 24].map(id => ({ ...ticket(id), idParent: 1 })), NextCursor: null, Total: 4 }
    const page = Number(Cursor ?? 0)
    return { Tickets: [ticket(page * 2 + 1, 4 * Number(page === 0)), ticket(page * 2 + 2)], NextCursor: String(page + 1), Total: 99 }
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  const view = { ...plainView, open: [1] }
  const { result } = renderHook(() => useTicketRows(1, undefined, view), { wrapper })
  for (let page = 0; page <= 5; page++) {
    if (page > 0) await act(() => result.current.roots.fetchNextPage())
    await waitFor(() => expect(result.current.rows).toHaveLength(2 * page + 6))
  }
  // The tickets 5 and 6: 1 has its children below it.
  result.current.see(8, 10)
  const before = server.requests.length
  await act(() => result.current.roots.refetch())
  expect(server.requests.slice(before).map(({ input }) => (input as { Cursor?: string }).Cursor)).toEqual([undefined, '2'])
})

test('of the rows that the pointer passes, only the one that it rests on is read ahead, and none after it has left', async () => {
  vi.useFakeTimers()
  const server = fakeServer()
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  const { result, unmount } = renderHook(useFetchAhead, { wrapper })
  const read = () => server.sentTo(getTicketData).map(({ input }) => (input as { idTicket: number }).idTicket)
  for (const idTicket of [1, 2, 3]) result.current.soon(idTicket)
  await vi.advanceTimersByTimeAsync(1000)
  expect(read()).toEqual([3])
  result.current.soon(4)
  result.current.cancel()
  result.current.soon(5)
  unmount()
  await vi.advanceTimersByTimeAsync(1000)
  expect(read()).toEqual([3])
})

test('while the list is read in another order, the children of open tickets stay where they are', async () => {
  const server = fakeServer()
  const sorted = Promise.withResolvers<void>()
  server.on(queryTickets, async ({ Sort, idParent }) => {
    if (Sort) await sorted.promise
    const ids = idParent === 1 ? [21, 22] : [1, 2]
    if (Sort) ids.reverse()
    return { Tickets: ids.map(id => ({ ...ticket(id, Number(id === 1)), idParent: idParent ?? null })), NextCursor: null, Total: 2 }
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: PropsWithChildren) => createElement(QueryClientProvider, { client }, children)
  const view = { ...plainView, open: [1] }
  const { result, rerender } = renderHook(({ shown }) => useTicketRows(1, undefined, shown), { wrapper, initialProps: { shown: view } })
  const keys = () => result.current.rows.map(({ key }) => key)
  await waitFor(() => expect(keys()).toEqual(['1', '1/21', '1/22', '2']))
  rerender({ shown: { ...view, sort: [{ Column: 'ID', Direction: 'desc' }] } })
  expect(keys()).toEqual(['1', '1/21', '1/22', '2'])
  sorted.resolve()
  await waitFor(() => expect(keys()).toEqual(['2', '1', '1/22', '1/21']))
})
