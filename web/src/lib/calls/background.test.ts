import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { enterSession, leaveSession } from '../session/session.tsx'
import { callPages, callQuery } from './api.ts'
import { refetchInBackground } from './background.ts'
import { queryClient } from './query-client.ts'

afterEach(() => {
  queryClient.clear()
  leaveSession()
})

const label = (Label: string) => ({ idLabel: 1, Label, Color: '#aa0000', Scope: 'project' as const, Tickets: 0 })

test('a change that comes before the first answer is shown, although the answer is older', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const { promise: old, resolve: answer } = Promise.withResolvers<ReturnType<typeof label>[]>()
  const changed = [label('after')]
  server.on(getLabelList, () => (server.sentTo(getLabelList).length === 1 ? old : changed))
  const query = new QueryObserver(queryClient, callQuery(getLabelList, { idProject: 1 }))
  const stop = query.subscribe(() => undefined)
  const names = () => query.getCurrentResult().data?.map(({ Label }) => Label)
  void queryClient.invalidateQueries()
  answer([label('before')])
  await vi.waitFor(() => expect(names()).toEqual(['after']), 20_000)
  expect(server.sentTo(getLabelList)).toHaveLength(2)
  stop()
})

test('changes that come faster than an answer do not keep the answer away; then it is read once more', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const answers: ((labels: ReturnType<typeof label>[]) => void)[] = []
  server.on(getLabelList, () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof label>[]>()
    answers.push(resolve)
    return promise
  })
  const query = new QueryObserver(queryClient, callQuery(getLabelList, { idProject: 1 }))
  const stop = query.subscribe(() => undefined)
  const name = () => query.getCurrentResult().data?.[0]?.Label
  const answer = async (number: number) => {
    await vi.waitFor(() => expect(answers).toHaveLength(number), 20_000)
    answers[number - 1]?.([label(`answer ${number}`)])
    await vi.waitFor(() => expect(name()).toBe(`answer ${number}`), 20_000)
  }
  await answer(1)
  for (let change = 1; change <= 5; change++) {
    void refetchInBackground(queryClient, () => true)
    await vi.waitFor(() => expect(answers).toHaveLength(2), 20_000)
  }
  await answer(2)
  await answer(3)
  expect(answers).toHaveLength(3)
  stop()
})

test('what a change has overtaken is read again in the background to its last page, so that it does not extend the session', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const answers: (() => void)[] = []
  server.on(getTicketHistory, async ({ Cursor }) => {
    await new Promise<void>(resolve => answers.push(resolve))
    return { Changes: [], NextCursor: Cursor ? null : 1 }
  })
  const answer = async (number: number) => {
    await vi.waitFor(() => expect(answers).toHaveLength(number), 20_000)
    answers[number - 1]?.()
  }
  const list = new InfiniteQueryObserver(queryClient, callPages(getTicketHistory, { idTicket: 7 }))
  const stop = list.subscribe(() => undefined)
  await answer(1)
  await vi.waitFor(() => expect(list.getCurrentResult().hasNextPage).toBe(true), 20_000)
  void list.fetchNextPage()
  await answer(2)
  await vi.waitFor(() => expect(list.getCurrentResult().data?.pages).toHaveLength(2), 20_000)
  void refetchInBackground(queryClient, () => true)
  await answer(3)
  void refetchInBackground(queryClient, () => true)
  for (const number of [4, 5, 6]) await answer(number)
  await vi.waitFor(() => expect(list.getCurrentResult().isFetching).toBe(false), 20_000)
  expect(server.sentTo(getTicketHistory).map(({ headers }) => headers.get('x-background'))).toEqual([null, null, '1', '1', '1', '1'])
  stop()
})

test('after a read that fails, what changed meanwhile is read again', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const { promise: old, resolve: answer } = Promise.withResolvers<Refusal>()
  const isSecond = () => server.sentTo(getLabelList).length === 2
  server.on(getLabelList, async () => (isSecond() ? await old : [label('any')]))
  const query = new QueryObserver(queryClient, callQuery(getLabelList, { idProject: 1 }))
  const stop = query.subscribe(() => undefined)
  await vi.waitFor(() => expect(query.getCurrentResult().isSuccess).toBe(true), 20_000)
  void refetchInBackground(queryClient, () => true)
  await vi.waitFor(() => expect(isSecond()).toBe(true), 20_000)
  void refetchInBackground(queryClient, () => true)
  answer(new Refusal(404, { error: 'Not found', code: 'not_found' }))
  await vi.waitFor(() => expect(query.getCurrentResult()).toMatchObject({ isFetching: false, error: null }), 20_000)
  expect(server.sentTo(getLabelList)).toHaveLength(3)
  stop()
})

test('what is being read again is read again also when the next page is asked for meanwhile', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const { promise: never } = Promise.withResolvers<Refusal>()
  server.on(getTicketHistory, async ({ Cursor }) =>
    server.sentTo(getTicketHistory).length === 2 ? await never : { Changes: [], NextCursor: Cursor ? null : 1 },
  )
  const list = new InfiniteQueryObserver(queryClient, callPages(getTicketHistory, { idTicket: 7 }))
  const stop = list.subscribe(() => undefined)
  await vi.waitFor(() => expect(list.getCurrentResult().hasNextPage).toBe(true), 20_000)
  void refetchInBackground(queryClient, () => true)
  await vi.waitFor(() => expect(server.sentTo(getTicketHistory)).toHaveLength(2), 20_000)
  void list.fetchNextPage()
  const cursors = () => server.sentTo(getTicketHistory).map(({ input }) => (input as { Cursor?: number }).Cursor)
  await vi.waitFor(() => expect(cursors()).toEqual([undefined, undefined, 1, undefined, 1]), 5000)
  stop()
})
