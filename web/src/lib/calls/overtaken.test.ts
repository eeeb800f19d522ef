import { QueryObserver } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { enterSession, leaveSession } from '../session/session.tsx'
import { callQuery } from './api.ts'
import { queryClient } from './query-client.ts'

afterEach(() => {
  queryClient.clear()
  leaveSession()
})

test('a change that comes before the first answer is shown, although the answer is older', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const label = (Label: string) => ({ idLabel: 1, Label, Color: '#aa0000', Scope: 'project' as const, Tickets: 0 })
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
