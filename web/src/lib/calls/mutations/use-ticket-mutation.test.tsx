import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { getTicketComments, newestComments, setTicketComment } from '@tessera/contract/tickets/comments'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { enterSession } from '../../session/session.tsx'
import { callQuery } from '../api.ts'
import { gatherWith } from '../live/refetch-after.ts'
import { useTicketMutation } from './use-ticket-mutation.ts'

afterEach(() => {
  cleanup()
  gatherWith(undefined)
  vi.unstubAllGlobals()
})

function Comments() {
  const { data = [] } = useQuery(callQuery(getTicketComments, newestComments(7)))
  const save = useTicketMutation(setTicketComment, { idProject: 1, idTicket: 7 })
  return (
    <>
      <p>{data.map(({ Comment }) => Comment).join() || 'nothing'}</p>
      <button type="button" onClick={() => save.mutate({ idTicket: 7, Comment: 'new' })}>
        SAVE
      </button>
    </>
  )
}

test('a read that began before a change of this page is not shown after it', async () => {
  enterSession(signedIn())
  const own = vi.fn()
  gatherWith(own)
  const server = fakeServer()
  const stored: Response<typeof getTicketComments> = []
  server.on(getTicketComments, () => [...stored])
  server.on(setTicketComment, ({ Comment }) => {
    stored.push({ idComment: 1, Author: 'Ada', Comment, DateCreated: 1, ChangeCount: 1, Reactions: [] })
    return { Success: 1, idComment: 1 }
  })
  const { user, client } = show(<Comments />)
  await screen.findByText('nothing')
  const { promise, resolve } = Promise.withResolvers<[]>()
  server.on(getTicketComments, () => promise)
  void client.invalidateQueries()
  await waitFor(() => expect(server.sentTo(getTicketComments)).toHaveLength(2))
  server.on(getTicketComments, () => [...stored])
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText('new')
  resolve([])
  await waitFor(() => expect(client.isFetching()).toBe(0))
  screen.getByText('new')
  expect(server.sentTo(getTicketComments)).toHaveLength(3)
  expect(own.mock.calls).toEqual([[{ idProject: 1, idTicket: 7, kind: 'set-ticket-comment' }]])
})
