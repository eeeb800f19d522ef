import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { getProjectList } from '@tessera/contract/projects/projects'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CallError, callQuery } from './api.ts'
import { queryClient } from './query-client.ts'
import { noteReach, unreachableMessage, useOffline } from './reach.ts'

afterEach(() => {
  cleanup()
  act(() => noteReach(true))
})

function Connection() {
  return useOffline() ? 'offline' : 'online'
}

test('a call without an answer or a lost connection is offline, until an answer or a connection comes', () => {
  render(<Connection />)
  expect(screen.getByText('online')).toBeDefined()
  act(() => noteReach(false))
  expect(screen.getByText('offline')).toBeDefined()
  act(() => noteReach(true))
  expect(screen.getByText('online')).toBeDefined()
  act(() => void dispatchEvent(new Event('offline')))
  expect(screen.getByText('offline')).toBeDefined()
  act(() => void dispatchEvent(new Event('online')))
  expect(screen.getByText('online')).toBeDefined()
})

test('after a change without an answer, or about something that is gone, the page is read again; after another refusal it is not', async () => {
  const queryFn = vi.fn(async () => 'read')
  const stop = new QueryObserver(queryClient, { queryKey: ['anything'], queryFn }).subscribe(() => {})
  const readsAfter = async (problem: CallError) => {
    await queryClient.invalidateQueries()
    const before = queryFn.mock.calls.length
    const mutation = new MutationObserver(queryClient, { mutationFn: () => Promise.reject(problem) })
    await expect(mutation.mutate()).rejects.toBe(problem)
    return queryFn.mock.calls.length - before
  }
  for (const [status, code, reads] of [
    [0, 'network', 1],
    [502, 'defect', 1],
    [404, 'not_found', 1],
    [409, 'conflict', 1],
    [409, 'identity_changed', 0],
    [422, 'rule', 0],
    [429, 'throttled', 0],
  ] as const)
    expect([status, code, await readsAfter(new CallError(status, { code }))]).toEqual([status, code, reads])
  stop()
  queryClient.clear()
})

test('a read that begins while the server cannot be reached is tried once', async () => {
  const fetch = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetch)
  act(() => noteReach(false))
  const observer = new QueryObserver(queryClient, { ...callQuery(getProjectList, {}), retryDelay: 0 })
  const stop = observer.subscribe(() => {})
  await waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  expect(fetch).toHaveBeenCalledTimes(1)
  stop()
  vi.unstubAllGlobals()
})

test('what could not be read while the server was away is read again once it answers', async () => {
  const answers = [new CallError(0, { error: unreachableMessage, code: 'network' })]
  const queryFn = vi.fn(async () => {
    const problem = answers.pop()
    if (problem) throw problem
    return 'read'
  })
  noteReach(false)
  const observer = new QueryObserver(queryClient, { queryKey: ['anything'], queryFn, retry: false })
  const stop = observer.subscribe(() => {})
  await waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  noteReach(true)
  await waitFor(() => expect(observer.getCurrentResult().data).toBe('read'))
  stop()
})
